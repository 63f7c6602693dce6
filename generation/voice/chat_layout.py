"""Chat messages as the tokens of a causal language model, by its chat template.

A model without a template, a base model such as GPT-2, gets a plain layout, in which a line break
ends a turn::

    You are the front desk of an organisation. …
    User: Where is the planning meeting?
    Agent: It is in Cedar.
    User: When does it start?
    Agent:
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frontdesk.generation.voice.prompt import Message, neutralise, special_tokens
from frontdesk.kg.graph.errors import MissingModelError

_PLAIN_TEMPLATE = """\
{%- for message in messages -%}
{{- {'system': '', 'user': 'User: ', 'assistant': 'Agent: '}[message['role']] -}}
{{- message['content'] + '\n' -}}
{%- endfor -%}
{{- 'Agent:' if add_generation_prompt -}}
"""


class ChatLayout:
    """How a causal language model reads messages and ends its replies.

    Args:
        tokenizer: The model's; its chat template is used where it has one.
        model: Its name, for messages.

    Attributes:
        plain: Whether the plain layout stands in for a missing template.
        special_tokens: Texts that may not stand in a turn, a fact or a reply.
        end: Id of the token that ends a reply.

    Raises:
        MissingModelError: The model's template cannot be used.
    """

    def __init__(self, tokenizer: Any, model: str) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self.plain = not tokenizer.chat_template
        self.special_tokens = special_tokens(tokenizer)
        self.end = self._end()
        messages = (Message("system", "a"), Message("user", "a"))
        longer = (*messages, Message("assistant", "a"), Message("user", "a"))
        self._message_tokens = -(-(len(self.encode(longer)) - len(self.encode(messages))) // 2)
        self._frame_tokens = len(self.encode(messages)) - 2 * self._message_tokens

    @property
    def frame_tokens(self) -> int:
        """Tokens of a prompt beside those of its messages, estimated from above; at least 0."""
        return max(0, self._frame_tokens)

    def message_tokens(self, content: str) -> int:
        """Tokens of a message with its role and delimiters, estimated from above."""
        return len(self._ids(content)) + self._message_tokens

    def encode(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of a prompt, up to where the reply begins.

        Args:
            messages: The system's, then the history; their contents hold no special tokens.

        Raises:
            MissingModelError: The model's template cannot be used.
        """
        return self._ids(self._render(messages, add_generation_prompt=True))

    def reply_tokens(self, reply: str) -> list[int]:
        """The tokens of a reply, neutralised, with the one that ends it."""
        clean = neutralise(reply, special_tokens=self.special_tokens, compatibility=False)
        return [*self._ids(f" {clean}" if self.plain and clean else clean), self.end]

    def read(self, tokens: Sequence[int]) -> str:
        """The text of a reply's tokens, on one line."""
        text = self._tokenizer.decode(tokens, skip_special_tokens=True).strip()
        return " ".join((text.partition("\n")[0] if self.plain else text).split())

    def _end(self) -> int:
        """The first special token that the template writes after a reply, else the model's end."""
        if self.plain:
            line_break = self._ids("\n")
            if line_break and self._tokenizer.decode(line_break[-1:]) == "\n":
                return line_break[-1]
        else:
            written = self._render((Message("user", "a"), Message("assistant", "reply")))
            after = self._ids(written.rpartition("reply")[2])
            special = {self._tokenizer.convert_tokens_to_ids(each) for each in self.special_tokens}
            ends = [token for token in after if token in special]
            if ends:
                return ends[0]
        if self._tokenizer.eos_token_id is None:
            raise MissingModelError(f"the tokenizer of {self._model!r} has no token that ends a "
                                    "reply", remedy="Choose another model")
        return int(self._tokenizer.eos_token_id)

    def _render(self, messages: Sequence[Message], *, add_generation_prompt: bool = False) -> str:
        from jinja2 import TemplateError

        for attempt in (messages, _alternating(messages)):
            try:
                return str(self._tokenizer.apply_chat_template(
                    [{"role": each.role, "content": each.content} for each in attempt],
                    chat_template=_PLAIN_TEMPLATE if self.plain else None, tokenize=False,
                    add_generation_prompt=add_generation_prompt))
            except TemplateError as error:
                refusal = error
        raise MissingModelError(f"the chat template of {self._model!r} cannot be used "
                                f"({' '.join(str(refusal).split())[:200]})",
                                remedy="Choose another model") from refusal

    def _ids(self, text: str) -> list[int]:
        # A template writes the tokens that begin and end a text itself.
        return list(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def _alternating(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages for a template that knows no system and wants user and assistant in turn."""
    turns: list[Message] = []
    for message in messages:
        role, content = message.role, message.content
        if role == "system":
            role = "user"
        if turns and turns[-1].role == role:
            content = f"{turns.pop().content}\n\n{content}"
        turns.append(Message(role, content))
    return tuple(turns)

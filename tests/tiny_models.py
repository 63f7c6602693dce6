"""Tiny random models of the classes that real weights have."""

from __future__ import annotations


def save_t5(path, *, answers=()):
    """A tiny random T5 with T5's special tokens, one token a character and one for each answer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -2.0)]
    vocabulary += [(chr(code), -3.0) for code in range(33, 127)]
    vocabulary += [(f"\u2581{word}", -1.0) for word in answers]
    raw = Tokenizer(models.Unigram(vocabulary, unk_id=2, byte_fallback=False))
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.decoder = decoders.Metaspace()
    raw.post_processor = processors.TemplateProcessing(single="$A </s>",
                                                       special_tokens=[("</s>", 1)])
    PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="</s>",
                            unk_token="<unk>", model_max_length=512).save_pretrained(path)
    torch.manual_seed(1)
    T5ForConditionalGeneration(T5Config(
        vocab_size=len(vocabulary), d_model=16, d_kv=4, d_ff=32, num_layers=1, num_heads=2,
        decoder_start_token_id=0)).save_pretrained(path)
    return path


def save_bart(path):
    """A tiny random BART, whose tokenizer puts a token before each text, one token a byte."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    specials = ["<s>", "<pad>", "</s>"]
    vocabulary = {each: index for index, each in enumerate(
        [*specials, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    raw = Tokenizer(models.BPE(vocabulary, []))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", pad_token="<pad>",
                            eos_token="</s>", model_max_length=512).save_pretrained(path)
    torch.manual_seed(1)
    BartForConditionalGeneration(BartConfig(
        vocab_size=len(vocabulary), d_model=16, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32,
        decoder_ffn_dim=32, max_position_embeddings=512, bos_token_id=0, pad_token_id=1,
        eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)).save_pretrained(path)
    return path


#: A chat template of the kind that most instruct models have.
CHAT_TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
                 "{{ message['content'] }}<|im_end|>\n{% endfor %}"
                 "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")


def save_causal(path, *, template=CHAT_TEMPLATE, kind="llama", context=4096):
    """A tiny random causal language model, one token a character, with tokens of a chat.

    Args:
        template: Its chat template; None for a base model.
        kind: ``llama`` or ``gpt2``.
        context: Most tokens of a prompt and its reply together.
    """
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import (
        GPT2Config,
        GPT2LMHeadModel,
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
    )

    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    vocabulary = {each: index for index, each in enumerate(
        [*specials, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    raw = Tokenizer(models.BPE(vocabulary, []))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens([AddedToken(each, normalized=False) for each in specials])
    PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="<|endoftext|>", chat_template=template,
        model_max_length=context).save_pretrained(path)
    torch.manual_seed(1)
    ends = {"eos_token_id": 0, "bos_token_id": 0, "pad_token_id": None}
    if kind == "gpt2":
        model = GPT2LMHeadModel(GPT2Config(
            vocab_size=len(vocabulary), n_positions=context, n_embd=16, n_layer=1, n_head=2,
            **ends))
    else:
        model = LlamaForCausalLM(LlamaConfig(
            vocab_size=len(vocabulary), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
            num_attention_heads=2, max_position_embeddings=context, **ends))
    model.save_pretrained(path)
    return path


def save_roberta(path, text):
    """A tiny random RoBERTa that infers, with a byte-level tokenizer trained on a text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import (
        PreTrainedTokenizerFast,
        RobertaConfig,
        RobertaForSequenceClassification,
    )

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.train_from_iterator([text], trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<s>", "<pad>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    raw.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0),
                                                      add_prefix_space=False)
    PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", cls_token="<s>",
                            sep_token="</s>", model_max_length=62).save_pretrained(path)
    RobertaForSequenceClassification(RobertaConfig(
        vocab_size=raw.get_vocab_size(), hidden_size=16, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=64, pad_token_id=1,
        num_labels=3, id2label={0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"},
        label2id={"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2})).save_pretrained(path)
    return str(path)


def save_q2_models(base, *, reader_length=24):
    """Tiny random models of the classes that Q² was published with, one token a word.

    Args:
        base: Folder that theirs are made in.
        reader_length: Most tokens that the reader reads.

    Returns:
        The folders of what asks, what reads and what infers.
    """
    import torch
    from transformers import (
        AlbertConfig,
        AlbertForQuestionAnswering,
        RobertaConfig,
        RobertaForSequenceClassification,
        T5Config,
        T5ForConditionalGeneration,
    )

    size = len(_Q2_WORDS)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        asks = T5ForConditionalGeneration(T5Config(
            vocab_size=size, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
            decoder_start_token_id=0, eos_token_id=1, pad_token_id=0))
        reads = AlbertForQuestionAnswering(AlbertConfig(
            vocab_size=size, embedding_size=16, hidden_size=16, num_hidden_layers=1,
            num_attention_heads=2, intermediate_size=32, max_position_embeddings=reader_length,
            initializer_range=2.0))
        infers = RobertaForSequenceClassification(RobertaConfig(
            vocab_size=size, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=40, pad_token_id=0, type_vocab_size=2,
            initializer_range=2.0, num_labels=3,
            id2label={0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"},
            label2id={"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2}))
    found = {}
    limited = _q2_tokenizer(True, model_max_length=reader_length)
    for name, model, words in (("questions", asks, _q2_tokenizer(False)),
                               ("reader", reads, limited),
                               ("entailment", infers, _q2_tokenizer(True))):
        model.save_pretrained(base / name)
        words.save_pretrained(base / name)
        found[name] = str(base / name)
    return found


_Q2_WORDS = ("<pad>", "</s>", "<unk>", "[CLS]", "[SEP]", "where", "is", "the", "talk", "zeta", "in",
             "who", "what", "?", ".", "question", ":", "answer", "context", "eta", "room")


def _q2_tokenizer(pair, **settings):
    """A tokenizer of words with the special tokens of a class of models."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(WordLevel({word: number for number, word in enumerate(_Q2_WORDS)},
                                unk_token="<unk>"))
    inner.pre_tokenizer = BertPreTokenizer()
    inner.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]" if pair else "$A </s>",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1" if pair else None,
        special_tokens=[("[CLS]", 3), ("[SEP]", 4), ("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", pad_token="<pad>",
        **({"cls_token": "[CLS]", "sep_token": "[SEP]"} if pair else {"eos_token": "</s>"}),
        **settings)

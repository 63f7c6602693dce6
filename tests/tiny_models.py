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

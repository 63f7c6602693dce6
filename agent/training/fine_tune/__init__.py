"""``frontdesk train generator --model NAME``: fine-tune models of the Hugging Face hub."""

"""Which entities mentions refer to, by linking.pl compiled to a circuit."""

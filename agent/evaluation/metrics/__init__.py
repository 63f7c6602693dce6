"""How well checks of replies tell true ones from false ones."""

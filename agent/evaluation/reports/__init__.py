"""Reports as HTML pages: what they show is computed here, how it is shown are their templates."""

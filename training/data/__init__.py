"""What the embedded model learns from: generated conversations of many tool families, and public data sets."""

"""PDF files made by hand, so that they can be wrong in any way."""

import zlib


def pdf(*lines: str, filler: bytes = b"") -> bytes:
    """A PDF with a page for each line."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(lines)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(lines)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for place, line in enumerate(lines):
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] {fonts} /Contents {5 + 2 * place} 0 R >>"
        stream = zlib.compress(b"BT /F1 12 Tf 10 100 Td (" + line.encode() + b") Tj ET " + filler, 9)
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>".encode()
        objects += [page.encode(), head + b"\nstream\n" + stream + b"\nendstream"]
    data, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)

"""A certificate that only trusts itself, for servers of tests."""

import os
import ssl
import subprocess
from pathlib import Path

from msgspec import Struct


class OwnCertificate(Struct, frozen=True):
    """`file` is what SSL_CERT_FILE has to name before the certificate is trusted."""

    file: Path
    server: ssl.SSLContext


def own_certificate(folder: Path, *names: str) -> OwnCertificate:
    key, file = folder / "key.pem", folder / "cert.pem"
    alternatives = ",".join(f"DNS:{name}" for name in names)
    subject = ["-subj", f"/CN={names[0]}", "-addext", f"subjectAltName={alternatives}"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*command, "-keyout", key, "-out", file], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(os.fspath(file), os.fspath(key))
    return OwnCertificate(file, context)

"""django-oauth-toolkit in one file: DATABASE PORT. The tokens of a client with `brief` last a second."""

import sys
from wsgiref.simple_server import make_server

import django
from django.conf import settings

DATABASE, PORT = sys.argv[1:]

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    OAUTH2_PROVIDER={
        "SCOPES": {"items": "Read items.", "orders": "Read orders."},
        "DEFAULT_SCOPES": [],
        "EXTRA_SERVER_KWARGS": {
            "token_expires_in": lambda request: 1 if "brief" in request.client.client_id else 600,
        },
    },
    # Each request logs a client in, which Django makes slow by default.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="for the tests alone",
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402

urlpatterns = [path("o/", include("oauth2_provider.urls"))]

call_command("migrate", verbosity=0)
User.objects.create_user("johndoe", password="secret")
clients = {
    "machine": Application.GRANT_CLIENT_CREDENTIALS,
    "machine-brief": Application.GRANT_CLIENT_CREDENTIALS,
    "web": Application.GRANT_PASSWORD,
    "web-brief": Application.GRANT_PASSWORD,
    # The service, which asks about tokens and gets none.
    "items-api": Application.GRANT_CLIENT_CREDENTIALS,
}
for client_id, grant_type in clients.items():
    Application.objects.create(
        client_id=client_id,
        client_secret="secret",
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=grant_type,
    )
make_server("127.0.0.1", int(PORT), get_wsgi_application()).serve_forever()

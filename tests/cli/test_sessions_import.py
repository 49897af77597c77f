"""`toolpost sessions import`: conversations of other chats come along, once, with all their branches."""

import json

import pytest
from console import Console
from project import Project


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    return Project(tmp_path, monkeypatch, capsys)


def lines(*documents):
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents)


def oid(number):
    return {"$oid": f"{number:024x}"}


def date(day, hour=0):
    return {"$date": f"2024-05-{day:02}T{hour:02}:00:00Z"}


CONVERSATIONS = lines(
    {"_id": oid(1), "title": "上海天气", "user": "ann", "createdAt": date(1), "updatedAt": date(2)},
    {"_id": oid(2), "title": "Recipes", "user": "bob", "createdAt": {"$date": {"$numberLong": "1714700000000"}}},
)
MESSAGES = lines(
    {"_id": oid(12), "conversationId": oid(1), "role": "assistant", "content": "晴，22 度。", "createdAt": date(1, 2)},
    {"_id": oid(11), "conversationId": oid(1), "role": "user", "content": "上海天气怎么样？", "createdAt": date(1, 1)},
    {"_id": oid(21), "conversationId": oid(2), "role": "user", "content": "Pancakes?", "createdAt": date(3)},
    {"_id": oid(22), "conversationId": oid(2), "role": "system", "content": "be brief", "createdAt": date(3)},
)


def imported(project, *arguments):
    return project.call("sessions", "import", *map(str, arguments))


def sessions(project):
    return {entry["title"]: entry for entry in project.call("sessions", "--json").json}


def said(project, title):
    shown = project.call("sessions", "show", sessions(project)[title]["id"], "--json").json
    return [(one["role"], "".join(part.get("text", "") for part in one["parts"])) for one in shown]


@pytest.fixture
def exported(project):
    return project.write("conversations.json", CONVERSATIONS), project.write("messages.json", MESSAGES)


def test_two_collections_of_mongoexport_become_sessions(project, exported):
    done = imported(project, *exported)
    assert done.status == 0
    assert done.out == "imported 2 sessions with 3 messages\n"
    assert said(project, "上海天气") == [("user", "上海天气怎么样？"), ("assistant", "晴，22 度。")]
    assert sessions(project)["上海天气"]["created"] == 1714521600.0
    assert sessions(project)["Recipes"]["created"] == 1714700000.0
    assert project.call("sessions", "search", "22 度").out.count("上海天气") == 1


def test_an_import_that_is_repeated_adds_nothing(project, exported):
    imported(project, *exported)
    again = imported(project, *exported)
    assert again.out == "imported 0 sessions with 0 messages\nalready there: 2 sessions\n"
    assert len(sessions(project)) == 2


def test_a_dry_run_says_the_same_and_imports_nothing(project, exported):
    done = imported(project, "--dry-run", *exported)
    assert done.out == "would import 2 sessions with 3 messages\n"
    assert not sessions(project)


def test_only_the_conversations_of_one_user(project, exported):
    done = imported(project, "--from-user", "ann", *exported)
    assert "left out, of other users: 1 conversation" in done.out
    assert list(sessions(project)) == ["上海天气"]


def test_an_owner_of_this_server_can_be_named(project, exported):
    imported(project, "--owner", "ann", *exported)

    async def owners(store):
        return {info.owner async for info in store.sessions()}

    assert project.in_store(owners) == {"ann"}


def test_bad_lines_are_told_by_number_and_the_others_are_imported(project, exported):
    file = project.write("bad.json", CONVERSATIONS + '{"cut": \n[1]\n{"a": 1}\n')
    done = imported(project, file, exported[1])
    assert done.status == 1
    assert "bad.json:3: it is not JSON" in done.err
    assert "bad.json:4: it is not a JSON object" in done.err
    assert "bad.json:5: it is neither" in done.err
    assert "imported 2 sessions" in done.out
    assert "not read: 3 entries" in done.out


@pytest.mark.parametrize("layout", ["array", "pretty"])
def test_the_layout_of_the_file_does_not_matter(project, exported, layout):
    documents = [json.loads(line) for line in CONVERSATIONS.splitlines()]
    if layout == "array":
        file = project.write("laid-out.json", json.dumps(documents, indent=2))
    else:
        file = project.write("laid-out.json", "\n".join(json.dumps(one, indent=2) for one in documents))
    assert imported(project, file, exported[1]).out == "imported 2 sessions with 3 messages\n"


def test_messages_inside_their_conversation_and_branches_are_kept(project):
    """As LibreChat and HuggingChat write them."""
    tree = [
        {"messageId": "a", "parentMessageId": "0000", "isCreatedByUser": True, "text": "Hi"},
        {"messageId": "b", "parentMessageId": "a", "isCreatedByUser": False, "sender": "GPT-4", "text": "Hello"},
        {"messageId": "c", "parentMessageId": "a", "sender": "GPT-4", "text": "Good day"},
    ]
    file = project.write("c.json", lines({"conversationId": "x1", "title": "Tree", "messages": tree}))
    assert imported(project, file).status == 0
    assert said(project, "Tree") == [("user", "Hi"), ("assistant", "Good day")]


def test_messages_whose_conversation_is_missing_are_a_session_too(project):
    file = project.write("messages.json", MESSAGES)
    assert imported(project, file).out == "imported 2 sessions with 3 messages\n"
    assert set(sessions(project)) == {"上海天气怎么样？", "Pancakes?"}


def test_other_names_come_from_a_mapping_file(project):
    mapping = project.write(
        "names.toml",
        '[conversation]\nid = "nr"\ntitle = "meta.name"\n'
        '[message]\nconversation = "thread"\ntext = "said"\nrole = "who"\n'
        '[roles]\nclient = "user"\nhelper = "assistant"\nlog = "skip"\n',
    )
    file = project.write(
        "odd.json",
        lines(
            {"nr": 7, "meta": {"name": "Odd"}},
            {"thread": 7, "who": "Client", "said": "Hello?"},
            {"thread": 7, "who": "log", "said": "noise"},
            {"thread": 7, "who": "Helper", "said": "Yes."},
        ),
    )
    assert imported(project, "--mapping", mapping, file).status == 0
    assert said(project, "Odd") == [("user", "Hello?"), ("assistant", "Yes.")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[mesage]\ntext = "x"', "did you mean message?"),
        ('[message]\ntxt = "x"', "did you mean text"),
        ("[message]\ntext = 1", "must be the name of a field"),
        ('[roles]\nbot = "robot"', 'must be "user", "assistant" or "skip"'),
        ("[", "is not TOML"),
    ],
)
def test_a_wrong_mapping_says_how_to_put_it_right(project, exported, text, told):
    done = imported(project, "--mapping", project.write("names.toml", text), *exported)
    assert done.status == 2
    assert told in done.err


CHATGPT = [
    {
        "title": "Trip",
        "conversation_id": "c-1",
        "create_time": 1700000000.5,
        "update_time": 1700000100.0,
        "current_node": "n4",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["n0"]},
            "n0": {"message": {"author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}}},
            "n1": {
                "parent": "n0",
                "message": {
                    "author": {"role": "user"},
                    "create_time": 1700000001.0,
                    "content": {
                        "content_type": "multimodal_text",
                        "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "x"}, "Where is this?"],
                    },
                },
            },
            "n2": {
                "parent": "n1",
                "message": {
                    "author": {"role": "assistant"},
                    "recipient": "python",
                    "content": {"content_type": "code", "text": "print(1)"},
                },
            },
            "n3": {
                "parent": "n2",
                "message": {"author": {"role": "tool"}, "content": {"content_type": "text", "parts": ["1"]}},
            },
            "n4": {
                "parent": "n3",
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000003.0,
                    "metadata": {"model_slug": "gpt-4o"},
                    "content": {"content_type": "text", "parts": ["In Rome."]},
                },
            },
            "n5": {
                "parent": "n1",
                "message": {
                    "author": {"role": "assistant"},
                    "create_time": 1700000009.0,
                    "content": {"content_type": "text", "parts": ["In Paris."]},
                },
            },
        },
    }
]


def test_chatgpts_tree_keeps_its_branches_and_shows_the_one_that_was_shown(project):
    file = project.write("conversations.json", json.dumps(CHATGPT))
    assert imported(project, file).out == "imported 1 session with 3 messages\n"
    assert said(project, "Trip") == [("user", "[image]\nWhere is this?"), ("assistant", "In Rome.")]
    assert "Trip" in project.call("sessions", "search", "Paris").out
    assert imported(project, file).out.endswith("already there: 1 session\n")


OPEN_WEBUI = [
    {
        "id": "w-1",
        "user_id": "u-1",
        "title": "Sky",
        "created_at": 1710000000,
        "updated_at": 1710000500,
        "chat": {
            "history": {
                "currentId": "b",
                "messages": {
                    "a": {"id": "a", "parentId": None, "role": "user", "content": "Why blue?", "timestamp": 1710000001},
                    "b": {
                        "id": "b",
                        "parentId": "a",
                        "role": "assistant",
                        "model": "qwen3",
                        "content": '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Rayleigh'
                        "\n</details>\nScattering.",
                        "timestamp": 1710000002,
                    },
                },
            }
        },
    }
]


def test_open_webuis_export_keeps_what_the_model_thought(project):
    file = project.write("chats.json", json.dumps(OPEN_WEBUI))
    assert imported(project, file).out == "imported 1 session with 2 messages\n"
    shown = project.call("sessions", "show", sessions(project)["Sky"]["id"]).out
    assert "~ Rayleigh" in shown
    assert "  Scattering." in shown
    assert "<details" not in shown


def test_an_image_in_a_data_url_comes_along(project):
    content = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    file = project.write(
        "c.json", lines({"_id": oid(1), "title": "Picture", "messages": [{"role": "user", "content": content}]})
    )
    imported(project, file)
    parts = project.call("sessions", "show", sessions(project)["Picture"]["id"], "--json").json[0]["parts"]
    assert parts[1] == {"type": "file", "mime": "image/png", "data": "iVBORw0KGgo="}


def test_messages_that_follow_each_other_in_a_circle_are_all_kept(project):
    circle = [
        {"id": "a", "parentId": "b", "role": "user", "content": "one"},
        {"id": "b", "parentId": "a", "role": "assistant", "content": "two"},
    ]
    file = project.write("c.json", lines({"_id": oid(1), "title": "Circle", "messages": circle}))
    assert imported(project, file).out == "imported 1 session with 2 messages\n"
    assert said(project, "Circle") == [("user", "one"), ("assistant", "two")]


def test_a_session_of_ours_says_what_a_dry_run_would_do(project, tmp_path):
    from toolpost.testing import text

    session = project.converse("hi", text("hello"))
    file = tmp_path / "session.json"
    project.call("sessions", "export", session, "-o", str(file))
    assert imported(project, "--dry-run", file).out == "would import hi with 2 messages\n"
    assert len(sessions(project)) == 1


async def test_a_pipe_and_a_terminal_work_too(tmp_path):
    console = Console(tmp_path)
    piped = await console.call("sessions", "import", "-", stdin=(CONVERSATIONS + MESSAGES).encode())
    assert piped.out == "imported 2 sessions with 3 messages\n"
    (console.folder / "chats.json").write_text(json.dumps(OPEN_WEBUI))
    async with console.terminal("sessions", "import", "chats.json") as terminal:
        bar = await terminal.seen("imported 1 session")
        assert "importing [####" in bar
        await terminal.ended()


async def test_an_imported_conversation_goes_on(tmp_path):
    from toolpost.testing import Upstream, text

    async with Upstream(text("Also sunny.")) as upstream:
        console = Console(tmp_path, upstream.base_url)
        await console.call("sessions", "import", "-", stdin=(CONVERSATIONS + MESSAGES).encode())
        listed = json.loads((await console.call("sessions", "--json")).out)
        session = next(one["id"] for one in listed if one["title"] == "上海天气")
        done = await console.run("-s", session, "And tomorrow?")
        assert "Also sunny." in done.out
        assert "上海天气怎么样？" in upstream.requests[0].raw.decode()

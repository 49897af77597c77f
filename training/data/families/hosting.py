"""Keeping things online: backups, domains, certificates, containers, queues and topics."""

from collections.abc import Mapping

from training.data.family import Ask, Domain, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Day, Duration
from training.data.wordings import composed, pool

HOST = composed(
    ("{name}.example", "{name}.example.com", "www.{name}.example.org", "{name}.example.net"),
    ("{name}.example", "{name}.example.com", "www.{name}.example.org", "{name}.example.net"),
    {
        "name": pool(
            """shop | blog | bakery | northwind | mail | api | docs | bluefin | studio | wiki | tickets | garden
            status | museum | choir | rowing | pixelfarm | oldmill | cargo | bikes"""
        )
    },
)
FOLDER = Word(
    pool(
        """photos | invoices | customer database | home directory | wiki | mailboxes | music archive | contracts
        recipes | website files | game saves | design drafts | log archive | lecture notes | scans
        video project | tax papers | source code | family album | chat history"""
    ),
    pool(
        """照片 | 发票 | 客户数据库 | 主目录 | 知识库 | 邮箱 | 音乐库 | 合同 | 菜谱 | 网站文件 | 游戏存档 | 设计稿
        日志归档 | 讲义 | 扫描件 | 视频项目 | 报税材料 | 源代码 | 家庭相册 | 聊天记录"""
    ),
)
CONTAINER = composed(
    ("{what}-{which}", "{what}_{which}", "{what}"),
    ("{what}-{which}", "{what}_{which}", "{what}"),
    {
        "what": pool(
            """redis | postgres | nginx | grafana | mailer | frontend | search | resizer | gateway | wordpress"""
        ),
        "which": pool("1 | 2 | main | blue | green | test | eu | old"),
    },
)
QUEUE = composed(
    ("{topic}.{kind}", "{topic}-{kind}", "{topic}_{kind}"),
    ("{topic}.{kind}", "{topic}-{kind}", "{topic}_{kind}"),
    {
        "topic": pool(
            """orders | mails | thumbnails | payments | signups | invoices | sensors | exports | returns | alerts"""
        ),
        "kind": pool("new | retry | failed | incoming | eu | fast | daily | pending"),
    },
)

BACKUP = Family(
    key="hosting.backup",
    names=("start_backup", "run_backup_now", "create_snapshot", "back_up", "trigger_backup"),
    about=(
        "Back something up now.",
        "Makes a safety copy of a folder or a database, whole or only what changed.",
        "Starts a backup. Bringing data back is another tool.",
    ),
    about_zh=("立即备份。", "对文件夹或数据库做备份，可全量或增量；不用于恢复。"),
    params=(
        Param("what", FOLDER, ("source", "what", "target_data"), ("What is copied",), ("备份内容",)),
        Param(
            "mode",
            Choice(
                {
                    "full": (("full",), ("全量", "完整")),
                    "incremental": (("incremental",), ("增量",)),
                },
            ),
            ("mode", "backup_type"),
            ("Everything, or what changed",),
            ("方式",),
            False,
            "incremental",
        ),
        Param("keep", Integer(7, 365), ("keep_days", "retention_days"), ("Days to keep it",), ("保留天数",), False),
    ),
    asks=(
        "Back up the {what}[ and keep it for {keep} days].",
        "make a backup of the {what}[, {mode}]",
        "{what}: backup now[, keep {keep} days]",
        "I'm about to do something stupid with the {what}, so save a copy first.",
        Ask("Take a copy of all of the {what}, a full one.", {"mode": "full"}),
        Ask("only save what changed in the {what} since last time", {"mode": "incremental"}),
        "can you do a safety copy of the {what}[, {mode}][, to be kept {keep} days]",
        "The disk sounds terrible. Get the {what} somewhere safe, quickly.",
        "snapshot of the {what} please",
    ),
    asks_zh=(
        "备份一下{what}[，保留{keep}天]",
        "给{what}做个[{mode}]备份",
        "{what}马上[{mode}]备份",
        "我要动{what}了，先留个备份",
        "硬盘声音不对，赶紧把{what}备份了",
        Ask("{what}全部完整备一份", {"mode": "full"}),
        Ask("{what}只备份有变化的部分", {"mode": "incremental"}),
        "现在就对{what}来一次[{mode}]备份[，存{keep}天]",
        "{what}存个副本[，留{keep}天]",
        "万一丢了就麻烦了，{what}备一下份",
        "启动备份：{what}[，{mode}]",
    ),
    outcomes=(
        Outcome(
            fields=(("backup_id", Code(("bk-9999", "snap-xxxx"))), ("size_gb", Integer(1, 900))),
            texts=("{backup_id} done, {size_gb} GB",),
            texts_zh=("{backup_id}完成，{size_gb}GB",),
            answers=(
                "Saved the {what} as {backup_id}, {size_gb} GB.",
                "Backup {backup_id} is done.",
                "Done: {size_gb} GB saved.",
            ),
            answers_zh=(
                "{what}已备份，编号{backup_id}，{size_gb}GB。",
                "备份完成，{backup_id}。",
                "好了，共{size_gb}GB。",
            ),
        ),
    ),
    missing=(
        Missing(
            "what",
            ("Make a backup.", "run the {mode} backup now", "Save a copy, please, and keep it {keep} days."),
            ("What should I back up?", "Which data do you want to save?"),
            ("做个备份", "现在{mode}备份一下"),
            ("请问备份什么？", "要备份哪些内容？"),
        ),
    ),
    errors=("backup storage is full",),
)

RESTORE = Family(
    key="hosting.restore",
    names=("restore_backup", "recover_data", "roll_back_to_snapshot", "bring_back_from_backup"),
    about=(
        "Restore data from a backup.",
        "Brings a folder or a database back to how it was on a day.",
        "Recovery. What is there now is overwritten unless told otherwise.",
    ),
    about_zh=("从备份恢复数据。", "把内容恢复到某一天的状态。"),
    params=(
        Param("what", FOLDER, ("source", "what", "dataset"), ("What to bring back",), ("恢复内容",)),
        Param("day", Day(-20, -1), ("as_of", "from_date", "snapshot_date"), ("Day of the copy",), ("备份日期",)),
        Param("overwrite", Flag(), ("overwrite", "replace_existing"), ("Replace what is there",), ("是否覆盖",), False),
    ),
    asks=(
        "Restore the {what} as they were {day}.",
        "bring back the {what} from {day}",
        "Somebody deleted half of the {what}. I want the state of {day} back.",
        "{what}, recover, {day}",
        Ask("Recover the {what} from {day} and overwrite what is there.", {"overwrite": True}),
        Ask("get the {what} back from {day} but don't replace the existing ones", {"overwrite": False}),
        "I messed up the {what}, roll back to {day}",
        "we lost the {what}! there must be a copy of {day}, put it back",
    ),
    asks_zh=(
        "把{what}恢复到{day}的状态",
        "{what}用{day}的备份还原",
        "有人误删了{what}，找回{day}的",
        "恢复{what}，{day}那份",
        Ask("用{day}的备份恢复{what}，直接覆盖", {"overwrite": True}),
        Ask("{what}恢复成{day}的，现有的不要覆盖", {"overwrite": False}),
        "{what}被我弄乱了，退回{day}",
        "{what}丢了！{day}应该有备份，恢复一下",
        "我想要{day}的{what}回来",
        "{what}回滚到{day}",
    ),
    outcomes=(
        Outcome(
            fields=(("files", Integer(20, 9000)),),
            texts=("{files} files restored",),
            texts_zh=("已恢复{files}个文件",),
            answers=(
                "{files} files are back.",
                "Restored the {what}: {files} files.",
                "Restored, {files} files in all.",
            ),
            answers_zh=("恢复了{files}个文件。", "{what}已恢复，共{files}个文件。", "好了，{files}个文件回来了。"),
        ),
    ),
    missing=(
        Missing(
            "day",
            ("Restore the {what}.", "I need the {what} back from the backup"),
            ("From which day?", "As of which day should I restore the {what}?"),
            ("恢复{what}", "{what}没了，用备份还原"),
            ("请问恢复到哪一天？", "用哪天的备份？"),
        ),
    ),
)

CERTIFICATE = Family(
    key="hosting.certificate",
    names=("certificate_expiry", "check_tls_certificate", "ssl_valid_until", "inspect_certificate"),
    about=(
        "Until when a site's certificate is valid.",
        "Looks at the TLS certificate of a host.",
        "Expiry of a certificate; it renews nothing.",
    ),
    about_zh=("查询网站证书有效期。", "查看主机的 TLS 证书何时到期，不续期。"),
    params=(Param("host", HOST, ("host", "hostname", "domain_name"), ("Host, e.g. www.example.com",), ("主机名",)),),
    asks=(
        "When does the certificate of {host} run out?",
        "{host} ssl valid until?",
        "The browser says {host} is not safe. Has the certificate expired?",
        "how many days are left on the cert for {host}",
        "is the https of {host} still fine",
        "Do I have to renew the certificate on {host} soon?",
        "customers get a security warning at {host}, look at the certificate please",
        "expiry date of {host}'s certificate",
    ),
    asks_zh=(
        "{host}的证书什么时候到期？",
        "{host}证书还有几天",
        "浏览器说{host}不安全，是不是证书过期了",
        "看下{host}的SSL证书有效期",
        "{host}的https还正常吗",
        "{host}的证书要续了吗",
        "客户打开{host}有安全警告，查查证书",
        "查证书：{host}",
        "{host} TLS到期日",
        "我怕{host}的证书忘了续，还剩多久？",
    ),
    outcomes=(
        Outcome(
            fields=(("valid_until", Day(2, 200)),),
            texts=("valid until {valid_until}",),
            texts_zh=("有效期至{valid_until}",),
            answers=(
                "It is valid until {valid_until}.",
                "The certificate of {host} runs out on {valid_until}.",
                "Valid until {valid_until}.",
            ),
            answers_zh=("有效期到{valid_until}。", "{host}的证书{valid_until}到期。", "到期日是{valid_until}。"),
        ),
    ),
    missing=(
        Missing(
            "host",
            ("Has our certificate expired?", "how long is the ssl certificate good for"),
            ("Of which host?", "Which site should I check?"),
            ("证书过期了吗？", "查一下证书有效期"),
            ("请问是哪个网站？", "主机名是什么？"),
        ),
    ),
)


def _is_sound(drawn: Mapping[str, Drawn]) -> bool:
    """An A record has an address, a TXT record a text, the others a name."""
    value: str = drawn["value"].meaning
    sort = "TXT" if "=" in value else "A" if value[0].isdigit() else "name"
    return {"TXT": "TXT", "A": "A"}.get(drawn["type"].meaning, "name") == sort


RECORD = Family(
    key="hosting.dns",
    names=("add_dns_record", "set_dns", "create_zone_entry", "point_domain"),
    about=(
        "Add a DNS record to a domain.",
        "Points a name to an address or another name.",
        "Writes to the zone. It doesn't register domains.",
    ),
    about_zh=("添加域名解析记录。", "把域名指向某个地址，不注册域名。"),
    params=(
        Param("host", HOST, ("name", "host", "record_name"), ("Name of the record",), ("域名",)),
        Param(
            "type",
            Choice(
                {
                    "A": (("A",), ("A",)),
                    "CNAME": (("CNAME",), ("CNAME",)),
                    "TXT": (("TXT",), ("TXT",)),
                    "MX": (("MX",), ("MX",)),
                }
            ),
            ("type", "record_type"),
            ("Type of the record",),
            ("记录类型",),
        ),
        Param(
            "value",
            Word(
                pool(
                    """192.0.2.17 | 198.51.100.4 | 203.0.113.90 | 192.0.2.201 | 198.51.100.77 | 203.0.113.5
                    192.0.2.66 | web7.host.example | mx1.post.example | edge.cdn.example | verify=8841ab
                    lb-2.host.example | mail.office.example | 198.51.100.132 | key=aa93kd | pages.host.example
                    203.0.113.44"""
                )
            ),
            ("value", "target", "points_to"),
            ("Address, name or text",),
            ("记录值",),
        ),
        Param(
            "ttl",
            Duration("seconds", (60, 300, 600, 3600, 7200)),
            ("ttl", "time_to_live"),
            ("How long it may be kept",),
            ("缓存时间",),
            False,
        ),
    ),
    asks=(
        "Add {type} record for {host}: {value}[, TTL {ttl}].",
        "{host} {type} {value}[ ttl {ttl}]",
        "create a DNS entry of type {type}, name {host}, value {value}",
        "Point {host} to {value} with a record of type {type}[ and a TTL of {ttl}].",
        "The new provider wants a {type} entry: {host} has to give {value}. Set it up.",
        "dns for {host}: type {type}, target {value}",
        "set up {type} on {host} with the value {value}[, ttl {ttl}]",
        "we're moving the site, so {host} needs {type} {value}",
        "please put {value} as the {type} entry for {host}",
    ),
    asks_zh=(
        "给{host}加一条{type}记录，值{value}[，TTL {ttl}]",
        "{host} {type} {value}，加解析",
        "添加解析：{host}，类型{type}，指向{value}",
        "把{host}用{type}记录指到{value}[，缓存{ttl}]",
        "新服务商要求{host}设{type}，内容{value}，弄一下",
        "{host}的DNS加个{type}：{value}",
        "网站搬家，{host}要配{type} {value}[，TTL设{ttl}]",
        "域名{host}，{type}记录写{value}",
        "解析一下{host}，{type}，{value}",
        "在{host}上新建{type}解析到{value}",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes_until_active", Integer(1, 60)),),
            texts=("saved, active in {minutes_until_active} min",),
            texts_zh=("已保存，{minutes_until_active}分钟后生效",),
            answers=(
                "The record for {host} is saved.",
                "Done; it works in {minutes_until_active} minutes.",
                "{type} record added.",
            ),
            answers_zh=("{host}的解析已添加。", "好了，{minutes_until_active}分钟后生效。", "{type}记录已添加。"),
        ),
    ),
    missing=(
        Missing(
            "value",
            ("Add {type} record for {host}.", "{host} needs a DNS entry of type {type}"),
            ("What should the record point to?", "Which value should it have?"),
            ("给{host}加条{type}记录", "{host}要一个{type}解析"),
            ("请问记录值是什么？", "指向哪里？"),
        ),
    ),
    fits=_is_sound,
)


CONTAINERS = Family(
    key="hosting.container",
    names=("control_container", "container_action", "manage_container", "docker_control"),
    about=(
        "Start, stop or restart a container.",
        "Acts on one running container.",
        "Containers only, not whole machines. It reads no logs.",
    ),
    about_zh=("启动、停止或重启容器。", "对某个容器执行操作。"),
    params=(
        Param("container", CONTAINER, ("container", "container_name", "id"), ("Name of the container",), ("容器名",)),
        Param(
            "action",
            Choice(
                {
                    "start": (("start",), ("启动",)),
                    "stop": (("stop",), ("停止", "停掉")),
                    "restart": (("restart", "reboot"), ("重启",)),
                    "pause": (("pause",), ("暂停",)),
                }
            ),
            ("action", "command", "operation"),
            ("What to do",),
            ("操作",),
        ),
    ),
    asks=(
        "{action} the container {container}",
        "{container} hangs, {action} it please",
        "please {action} {container} for me, it's a container",
        Ask("{container} is dead. Bring the container up again with a restart.", {"action": "restart"}),
        Ask("shut down the container {container}", {"action": "stop"}),
        Ask("the container {container} isn't running yet, fire it up", {"action": "start"}),
        Ask("freeze {container} for a moment, I don't want to stop the container", {"action": "pause"}),
        "container {container}: {action}",
        "Could you {action} the {container} container? Users are complaining.",
    ),
    asks_zh=(
        "{action}容器{container}",
        "把{container}这个容器{action}",
        "{container}卡住了，{action}一下容器",
        Ask("容器{container}挂了，重新拉起来", {"action": "restart"}),
        Ask("把容器{container}关掉", {"action": "stop"}),
        Ask("容器{container}还没跑，开起来", {"action": "start"}),
        Ask("先冻结一下容器{container}，不要停", {"action": "pause"}),
        "用户在投诉，{container}容器{action}吧",
        "容器：{container}，{action}",
        "麻烦{action}{container}容器",
    ),
    outcomes=(
        Outcome(
            fields=(("took_seconds", Integer(1, 40)),),
            texts=("ok after {took_seconds} s",),
            texts_zh=("完成，用时{took_seconds}秒",),
            answers=("Done with {container}, it took {took_seconds} seconds.", "That's done for {container}.", "Done."),
            answers_zh=("{container}操作完成，用时{took_seconds}秒。", "{container}处理好了。", "完成。"),
        ),
    ),
    missing=(
        Missing(
            "container",
            ("{action} the container", "can you {action} it, the container I mean"),
            ("Which container?", "What is the container called?"),
            ("{action}一下容器", "容器卡了，{action}"),
            ("请问是哪个容器？", "容器叫什么名字？"),
        ),
    ),
)

BACKLOG = Family(
    key="hosting.queue",
    names=("queue_length", "pending_messages", "queue_depth", "backlog_of_queue"),
    about=(
        "How many messages wait in a queue.",
        "Length of a message queue and the age of its oldest message.",
        "Looks only; takes nothing out of the queue.",
    ),
    about_zh=("查询消息队列积压。", "返回队列里等待的消息数和最早消息的时长。"),
    params=(Param("queue", QUEUE, ("queue", "queue_name", "topic"), ("Name of the queue",), ("队列名",)),),
    asks=(
        "How many messages are waiting in {queue}?",
        "{queue} backlog",
        "Is {queue} piling up?",
        "are the workers keeping up with {queue}",
        "customers get their mails an hour late, look how long the queue {queue} is",
        "depth of {queue}",
        "Has {queue} drained yet?",
        "Can I switch the consumers off, or is something left in {queue}?",
    ),
    asks_zh=(
        "{queue}里积压了多少消息？",
        "{queue}队列长度",
        "{queue}堵了没有",
        "消费跟得上吗，看看{queue}",
        "客户说邮件晚到一小时，查下{queue}积了多少",
        "{queue}还剩几条没处理",
        "{queue}清空了吗",
        "消费者能停了吗？{queue}里还有没有东西",
        "看一眼{queue}的积压",
        "队列{queue}排了多长",
    ),
    outcomes=(
        Outcome(
            fields=(("waiting", Integer(0, 90000)), ("oldest_seconds", Integer(1, 7200))),
            texts=("{waiting} waiting, oldest {oldest_seconds} s",),
            texts_zh=("等待{waiting}条，最早{oldest_seconds}秒",),
            answers=(
                "{waiting} messages wait in {queue}.",
                "There are {waiting}; the oldest is {oldest_seconds} seconds old.",
                "{waiting}.",
            ),
            answers_zh=(
                "{queue}里有{waiting}条消息。",
                "积压{waiting}条，最早的等了{oldest_seconds}秒。",
                "{waiting}条。",
            ),
        ),
    ),
    missing=(
        Missing(
            "queue",
            ("How long is the queue?", "are messages piling up"),
            ("Which queue do you mean?", "What is the queue called?"),
            ("队列积压多少？", "消息堵了吗"),
            ("请问是哪个队列？", "队列叫什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "hosting",
    (BACKUP, RESTORE, CERTIFICATE, RECORD, CONTAINERS, BACKLOG),
    unserved=(
        ("Buy the domain bakery.example for two years.", "把bakery.example这个域名买两年。"),
        ("Rent a bigger server.", "换一台更大的服务器。"),
        ("Who changed the firewall last night?", "昨晚谁改了防火墙？"),
        ("Write a landing page for the shop.", "给店铺写个落地页。"),
        ("Block this visitor's address.", "把这个访客的地址封了。"),
        ("How many people visited the site?", "网站有多少人访问？"),
        ("Create a mailbox for the new colleague.", "给新同事开个邮箱。"),
        ("Renew the certificate now.", "现在就续签证书。"),
        ("Empty the whole queue.", "把整个队列清空。"),
        ("Pay the hosting bill.", "把主机费交了。"),
        ("Delete all old backups.", "把旧备份全删了。"),
        ("Encrypt the disk of the file server.", "给文件服务器的硬盘加密。"),
    ),
)

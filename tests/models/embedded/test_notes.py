"""What a question says in words, in plain figures: English and Chinese, and what must be left alone."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.notes import MOST_CHARS, MOST_NOTES, Note, notes, written

MONDAY = date(2026, 11, 16)


def said(question: str, today: date = MONDAY) -> str:
    return written(notes(question, today))


NUMBERS = [
    ("paid 14 euros 60 for the bus", "14 euros 60 = 14.6"),
    ("12 dollars and 50 cents", "12 dollars and 50 cents = 12.5"),
    ("send forty-five pounds fifty", "forty-five pounds fifty = 45.5"),
    ("20 dollars 3 times", ""),
    ("Transfer $184,500 to savings", "184,500 = 184500"),
    ("a loan of 1,250,000.50 dollars", "1,250,000.50 = 1250000.5"),
    ("5 lakh rupees and 1,00,000 more", "5 lakh = 500000; 1,00,000 = 100000"),
    ("raise 2.5 million", "2.5 million = 2500000"),
    ("about 3k followers", "3k = 3000"),
    ("a $200k mortgage", "200k = 200000"),
    ("$5m in funding", "5m = 5000000"),
    ("revenue of 1.2bn", "1.2bn = 1200000000"),
    ("half a million users", "half a million = 500000"),
    ("a million and a half", "a million and a half = 1500000"),
    ("two and a half million", "two and a half million = 2500000"),
    ("a hundred euros", "a hundred = 100"),
    ("two dozen eggs and a dozen rolls", "two dozen = 24; a dozen = 12"),
    ("half a dozen eggs", "half a dozen = 6"),
    ("twenty-five chairs", "twenty-five = 25"),
    ("twenty five chairs", "twenty five = 25"),
    ("three hundred and forty pages", "three hundred and forty = 340"),
    ("one hundred twenty three", "one hundred twenty three = 123"),
    ("between one hundred and two hundred", "one hundred = 100; two hundred = 200"),
    ("twelve thousand three hundred and five", "twelve thousand three hundred and five = 12305"),
    ("a hundred thousand", "a hundred thousand = 100000"),
    ("one and a half cups", "one and a half = 1.5"),
    ("three and a quarter miles", "three and a quarter = 3.25"),
    ("one point five million", "one point five million = 1500000"),
    ("three point one four", "three point one four = 3.14"),
    ("table for five", "five = 5"),
    ("zero sugar", "zero = 0"),
    ("book one ticket", "one = 1"),
    ("one adult and two kids", "one = 1; two = 2"),
    ("five grand", "five grand = 5000"),
    ("2 hundred people", "2 hundred = 200"),
    ("pay usd5,000", "5,000 = 5000"),
    ("a two-bedroom flat", "two = 2"),
    ("2 1/2 cups and 2½ spoons", "2 1/2 = 2.5; 2½ = 2.5"),
    ("what is half of 90", "half = 0.5"),
    ("a quarter of 200", "a quarter = 0.25"),
    ("one half of 90, one quarter of 80", "one half = 0.5; one quarter = 0.25"),
    ("two and one half", "two and one half = 2.5"),
    ("three quarters of 80", "three quarters = 0.75"),
    ("a 20% tip on $184.50", "20% = 0.2"),
    ("17.5 percent of 80", "17.5 percent = 0.175"),
    ("twenty percent off", "twenty percent = 0.2"),
    ("at 4.25 % interest", "4.25 % = 0.0425"),
    ("FIVE HUNDRED dollars", "FIVE HUNDRED = 500"),
    ("Five people", "Five = 5"),
    ("negative 3.5 and minus five degrees", "negative 3.5 = -3.5; minus five = -5"),
    ("ten minus five", "ten = 10; five = 5"),
    ("born in nineteen eighty-four", "nineteen eighty-four = 1984"),
    ("a table for one at 8pm", "one = 1; 8pm = 20:00"),
    ("i need 250k over 30 years at 5.5%", "250k = 250000; 30 years = 360 months; 5.5% = 0.055"),
]

DAYS = [
    ("what did I spend in April 2026", "April 2026 = 2026-04"),
    ("on 3 April 2027", "3 April 2027 = 2027-04-03"),
    ("tomorrow and the day after", "tomorrow = 2026-11-17; the day after = 2026-11-18"),
    ("until the end of June 2027", "the end of June 2027 = 2027-06-30"),
    ("by the end of February", "the end of February = 2027-02-28"),
    ("by the end of the month", "the end of the month = 2026-11-30"),
    ("by the end of next month", "the end of next month = 2026-12-31"),
    ("on the first of next month", "the first of next month = 2026-12-01"),
    ("from 30 May 2027, back on the 3rd", "30 May 2027 = 2027-05-30; the 3rd = 2027-06-03"),
    ("changed since Friday", "Friday = 2026-11-13"),
    ("mails since the 20th", "the 20th = 2026-10-20"),
    ("mails since 20 November", "20 November = 2025-11-20"),
    ("mails since the first of March", "the first of March = 2026-03-01"),
    ("weather today", "today = 2026-11-16"),
    ("what's on tonight?", "tonight = 2026-11-16"),
    ("Tomorrow's weather", "Tomorrow = 2026-11-17"),
    ("the day after tomorrow", "the day after tomorrow = 2026-11-18"),
    ("what happened yesterday", "yesterday = 2026-11-15"),
    ("remind me in three days", "in three days = 2026-11-19"),
    ("in two weeks", "in two weeks = 2026-11-30"),
    ("in a week", "in a week = 2026-11-23"),
    ("in 3 months", "in 3 months = 2027-02-16"),
    ("two weeks ago", "two weeks ago = 2026-11-02"),
    ("three days from now", "three days from now = 2026-11-19"),
    ("how many days in two weeks", "two weeks = 14 days"),
    ("next week", "next week = 2026-11-23"),
    ("sometime next month", "next month = 2026-12"),
    ("on friday", "friday = 2026-11-20"),
    ("Friday", "Friday = 2026-11-20"),
    ("this Friday", "this Friday = 2026-11-20"),
    ("this coming Saturday", "this coming Saturday = 2026-11-21"),
    ("next Friday", "next Friday = 2026-11-27"),
    ("friday next week", "friday next week = 2026-11-27"),
    ("next week on friday", "next week on friday = 2026-11-27"),
    ("last Friday", "last Friday = 2026-11-13"),
    ("monday", "monday = 2026-11-23"),
    ("last monday", "last monday = 2026-11-09"),
    ("see you on Thu", "Thu = 2026-11-19"),
    ("on sat at the pool", "sat = 2026-11-21"),
    ("from monday to friday", "monday = 2026-11-23; friday = 2026-11-27"),
    ("this weekend", "this weekend = 2026-11-21"),
    ("plans for the weekend", "the weekend = 2026-11-21"),
    ("next weekend", "next weekend = 2026-11-28"),
    ("March 3", "March 3 = 2027-03-03"),
    ("3 March", "3 March = 2027-03-03"),
    ("on march 3rd", "march 3rd = 2027-03-03"),
    ("March 3rd, 2027", "March 3rd, 2027 = 2027-03-03"),
    ("the 3rd of March", "the 3rd of March = 2027-03-03"),
    ("the third of march", "the third of march = 2027-03-03"),
    ("Dec 24th", "Dec 24th = 2026-12-24"),
    ("nov 16", "nov 16 = 2026-11-16"),
    ("nov 15", "nov 15 = 2027-11-15"),
    ("feb 29", "feb 29 = 2028-02-29"),
    ("Friday, November 27", "Friday, November 27 = 2026-11-27"),
    ("on may 5 at noon", "may 5 = 2027-05-05; noon = 12:00"),
    ("hotel from dec 3 to 7", "dec 3 = 2026-12-03; 7 = 2026-12-07"),
    ("from the 3rd to the 7th of december", "3rd = 2026-12-03; the 7th of december = 2026-12-07"),
    ("Wed at 3:30", "Wed = 2026-11-18"),
    ("Dec 3-7, 2026", "Dec 3 = 2026-12-03; 7, 2026 = 2026-12-07"),
    ("3 to 7 december", "3 = 2026-12-03; 7 december = 2026-12-07"),
    ("from December 3 to December 7", "December 3 = 2026-12-03; December 7 = 2026-12-07"),
    ("on 12/24", "12/24 = 2026-12-24"),
    ("on 24/12", "24/12 = 2026-12-24"),
    ("on 12/24/2026", "12/24/2026 = 2026-12-24"),
    ("on 24.12. please", "24.12. = 2026-12-24"),
    ("by 24.12.2026", "24.12.2026 = 2026-12-24"),
    ("on 2026/3/5", "2026/3/5 = 2026-03-05"),
    ("on the 21st", "the 21st = 2026-11-21"),
    ("on the 3rd at 5", "the 3rd = 2026-12-03"),
    ("from the 10th to the 20th", "the 10th = 2026-12-10; the 20th = 2026-12-20"),
    ("the 5th of next month", "the 5th of next month = 2026-12-05"),
    ("on Friday the 27th", "Friday the 27th = 2026-11-27"),
    ("the 1st of the month", "the 1st of the month = 2026-12-01"),
    ("fri at 5, sat night", "fri = 2026-11-20; sat = 2026-11-21"),
    ("sometime next year", "next year = 2027"),
    ("days until Christmas", "Christmas = 2026-12-25"),
    ("New Year's Eve dinner", "New Year's Eve = 2026-12-31"),
    ("on New Year’s Day", "New Year’s Day = 2027-01-01"),
]

TIMES = [
    ("at 2 pm", "2 pm = 14:00"),
    ("at 2pm tomorrow", "2pm = 14:00; tomorrow = 2026-11-17"),
    ("3:30pm", "3:30pm = 15:30"),
    ("9 a.m. sharp", "9 a.m. = 09:00"),
    ("12 am", "12 am = 00:00"),
    ("12 pm", "12 pm = 12:00"),
    ("lunch at noon", "noon = 12:00"),
    ("by midnight", "midnight = 00:00"),
    ("half past three", "half past three = 03:30"),
    ("half past three in the afternoon", "half past three in the afternoon = 15:30"),
    ("quarter to six", "quarter to six = 05:45"),
    ("a quarter past 7", "a quarter past 7 = 07:15"),
    ("at ten to six", "ten to six = 05:50"),
    ("8 in the evening", "8 in the evening = 20:00"),
    ("two in the morning", "two in the morning = 02:00"),
    ("11 at night", "11 at night = 23:00"),
    ("7 o'clock", "7 o'clock = 07:00"),
    ("seven o'clock in the evening", "seven o'clock in the evening = 19:00"),
    ("at 7 tonight", "at 7 = 19:00; tonight = 2026-11-16"),
    ("tomorrow evening at 7:30", "tomorrow = 2026-11-17; at 7:30 = 19:30"),
    ("wake me tomorrow morning at 6", "tomorrow = 2026-11-17; at 6 = 06:00"),
    ("at seven thirty", "at seven thirty = 07:30"),
    ("from 2 to 3:30 pm", "2 = 14:00; 3:30 pm = 15:30"),
    ("2-3pm", "2 = 14:00; 3pm = 15:00"),
    ("between 2 and 4 pm", "2 = 14:00; 4 pm = 16:00"),
    ("from 11 to 1 pm", "11 = 11:00; 1 pm = 13:00"),
    ("from nine to eleven am", "nine = 09:00; eleven am = 11:00"),
    ("from 3pm till 5", "3pm = 15:00; 5 = 17:00"),
    ("from 9 am to 5:30 on friday", "9 am = 09:00; 5:30 = 17:30; friday = 2026-11-20"),
    ("at 3pm to 5 people", "3pm = 15:00"),
    ("from 10 to 2 am", "10 = 22:00; 2 am = 02:00"),
    ("8:30 tonight", "8:30 = 20:30; tonight = 2026-11-16"),
    ("an alarm for seven fifteen", "for seven fifteen = 07:15"),
    ("9am to 5pm", "9am = 09:00; 5pm = 17:00"),
    ("book a table for five at 7 pm on friday", "five = 5; 7 pm = 19:00; friday = 2026-11-20"),
]

LENGTHS = [
    ("an hour and a half", "an hour and a half = 90 minutes"),
    ("it took me an hour and five minutes", "an hour and five minutes = 65 minutes"),
    ("two and a half hours", "two and a half hours = 150 minutes"),
    ("half an hour", "half an hour = 30 minutes"),
    ("a half-hour call", "a half-hour = 30 minutes"),
    ("1.5 hours", "1.5 hours = 90 minutes"),
    ("a quarter of an hour", "a quarter of an hour = 15 minutes"),
    ("three quarters of an hour", "three quarters of an hour = 45 minutes"),
    ("three weeks", "three weeks = 21 days"),
    ("for a week", "a week = 7 days"),
    ("for a fortnight", "a fortnight = 14 days"),
    ("two years", "two years = 24 months"),
    ("a 30-year mortgage", "30-year = 360 months"),
    ("a minute and a half", "a minute and a half = 90 seconds"),
    ("2h30", "2h30 = 150 minutes"),
    ("1h 20m", "1h 20m = 80 minutes"),
    ("3 hours", "3 hours = 180 minutes"),
    ("a 2-hour meeting", "2-hour = 120 minutes"),
    ("1 hour 30 minutes", "1 hour 30 minutes = 90 minutes"),
    ("an hour and twenty minutes", "an hour and twenty minutes = 80 minutes"),
    ("in an hour", "an hour = 60 minutes"),
    ("five minutes", "five = 5"),
    ("a year and a half", "a year and a half = 18 months"),
    ("a two-and-a-half-hour drive", "two-and-a-half-hour = 150 minutes"),
    ("a day and a half", "a day and a half = 36 hours"),
    ("set a timer for 2hrs", "2hrs = 120 minutes"),
]

CHINESE = [
    ("调到二十三度半", "二十三度半 = 23.5度"),
    ("放第三百集", "三百 = 300"),
    ("去年十二月的工资条", "去年十二月 = 2025-12"),
    ("下个月底之前", "下个月底 = 2026-12-31"),
    ("6月底交", "6月底 = 2027-06-30"),
    ("3月5号去，9号回", "3月5号 = 2027-03-05; 9号 = 2027-03-09"),
    ("贷款两百五十万", "两百五十万 = 2500000"),
    ("3.5万元", "3.5万 = 35000"),
    ("1.2亿", "1.2亿 = 120000000"),
    ("三十五页", "三十五 = 35"),
    ("三万五", "三万五 = 35000"),
    ("3万5千", "3万5千 = 35000"),
    ("一千零五十", "一千零五十 = 1050"),
    ("一亿两千万", "一亿两千万 = 120000000"),
    ("两个苹果", "两 = 2"),
    ("三张票和一杯咖啡", "三 = 3; 一 = 1"),
    ("订一间房住两晚", "一 = 1; 两 = 2"),
    ("十五公里", "十五 = 15"),
    ("十分钟", "十 = 10"),
    ("百分之二十", "百分之二十 = 20%"),
    ("百分之17.5", "百分之17.5 = 17.5%"),
    ("百分之百", "百分之百 = 100%"),
    ("打20%的折", "20% = 0.2"),
    ("90的一半", "一半 = 0.5"),
    ("四分之三", "四分之三 = 0.75"),
    ("三点五公里", "三点五 = 3.5"),
    ("一点五万", "一点五万 = 15000"),
    ("三块五", "三块五 = 3.5块"),
    ("一米七五", "一米七五 = 1.75米"),
    ("零下五度", "零下五 = -5"),
    ("百分之零点五", "百分之零点五 = 0.5%"),
    ("一个大人一个小孩", "一 = 1"),
    ("两斤半苹果", "两斤半 = 2.5斤"),
    ("今天天气", "今天 = 2026-11-16"),
    ("明天北京的天气", "明天 = 2026-11-17"),
    ("后天有空吗", "后天 = 2026-11-18"),
    ("大后天", "大后天 = 2026-11-19"),
    ("昨天和前天", "昨天 = 2026-11-15; 前天 = 2026-11-14"),
    ("今晚吃什么", "今晚 = 2026-11-16"),
    ("明早叫我", "明早 = 2026-11-17"),
    ("周五开会", "周五 = 2026-11-20"),
    ("星期五", "星期五 = 2026-11-20"),
    ("礼拜天", "礼拜天 = 2026-11-22"),
    ("周一", "周一 = 2026-11-23"),
    ("本周一", "本周一 = 2026-11-16"),
    ("这周五", "这周五 = 2026-11-20"),
    ("下周五", "下周五 = 2026-11-27"),
    ("下个星期三", "下个星期三 = 2026-11-25"),
    ("上周五", "上周五 = 2026-11-13"),
    ("下周的安排", "下周 = 2026-11-23"),
    ("这个周末", "这个周末 = 2026-11-21"),
    ("周一到周五", "周一 = 2026-11-23; 周五 = 2026-11-27"),
    ("三天后", "三天后 = 2026-11-19"),
    ("两周后", "两周后 = 2026-11-30"),
    ("三天前", "三天前 = 2026-11-13"),
    ("12月5日", "12月5日 = 2026-12-05"),
    ("12月5号", "12月5号 = 2026-12-05"),
    ("十二月五号", "十二月五号 = 2026-12-05"),
    ("5号的票", "5号 = 2026-12-05"),
    ("2027年3月1日", "2027年3月1日 = 2027-03-01"),
    ("明年三月一日", "明年三月一日 = 2027-03-01"),
    ("下个月5号", "下个月5号 = 2026-12-05"),
    ("12月5日到8日", "12月5日 = 2026-12-05; 8日 = 2026-12-08"),
    ("3号到5号", "3号 = 2026-12-03; 5号 = 2026-12-05"),
    ("圣诞节和元旦", "圣诞节 = 2026-12-25; 元旦 = 2027-01-01"),
    ("下午三点半", "下午三点半 = 15:30"),
    ("早上八点", "早上八点 = 08:00"),
    ("晚上7点", "晚上7点 = 19:00"),
    ("中午十二点", "中午十二点 = 12:00"),
    ("凌晨一点", "凌晨一点 = 01:00"),
    ("三点一刻", "三点一刻 = 03:15"),
    ("八点叫我起床", "八点 = 08:00"),
    ("8点15分", "8点15分 = 08:15"),
    ("下午3：30", "下午3：30 = 15:30"),
    ("今晚7点半", "今晚 = 2026-11-16; 7点半 = 19:30"),
    ("下午2点到3点半", "下午2点 = 14:00; 3点半 = 15:30"),
    ("上午10点到2点", "上午10点 = 10:00; 2点 = 14:00"),
    ("差一刻六点", "差一刻六点 = 05:45"),
    ("一个半小时", "一个半小时 = 90 minutes"),
    ("半小时", "半小时 = 30 minutes"),
    ("半个小时后", "半个小时 = 30 minutes"),
    ("两个半小时", "两个半小时 = 150 minutes"),
    ("1.5小时", "1.5小时 = 90 minutes"),
    ("一小时二十分钟", "一小时二十分钟 = 80 minutes"),
    ("三刻钟", "三刻钟 = 45 minutes"),
    ("两周", "两周 = 14 days"),
    ("半年", "半年 = 6 months"),
    ("三年", "三年 = 36 months"),
    ("一年半", "一年半 = 18 months"),
    ("一分半钟", "一分半钟 = 90 seconds"),
    ("帮我订明天下午三点两个人的位子", "明天 = 2026-11-17; 下午三点 = 15:00; 两 = 2"),
    ("房价两百五十万，首付百分之三十，贷三十年", "两百五十万 = 2500000; 百分之三十 = 30%; 三十年 = 360 months"),
]

ALONE = """
5 apples, 12.50 euros | on 2026-11-17 at 14:30 | this one, that one, no one and the red one | which one is better?
one of them | a second chance | wait a second | say "two hundred tomorrow" | read “five little pigs”
play 「三十五天」 and 《两百天》 | mail two@five.com or ten.people@example.org
open https://example.com/tomorrow/2,500 | read notes/friday/two.txt and three.pdf | cat /home/five/tomorrow
what is 42 * 17 | (3+4)/2 | 1,000 + 2,500 | 1,000 × 3 | room B12, order AB-1234, paper A4
call +1 (415) 555-0100 or 555-1234 | they may 3 times try | march 5 miles | the sun is out and he sat down
every friday | black friday deals | hundreds of people, dozens of cats | a couple hundred people | a few thousand
Ocean's Eleven is on | Five Guys near me | once a week | $20 an hour | he is 30 years old | a 4k tv | my 401k
a 5k run | on the 21st floor | for the 3rd time | open 24/7 | 1/2 cup | on 5/6 | it costs 24.12. | a christmas tree
second half of the game | half price | two thirds of them | 1 to 2 hours | grand piano, thanks a million
every second friday | i'd like to wed | Friday the 13th | one to one, one by one | one moment please | seven_of_nine
Göten Möne | feb 30 | on the 45th | on 13/13/2026 or 13/14 | on 3-4-26, 3.4.26 or 3/4/2026 | how much in a month
每周末 | 三四天后 | 二月三十日 | 百分之三四 | at 9:75 pm | 11 in the afternoon | Midnight Express | 晚上25点
一亿亿亿 | 三四小时 | 三四周 | 第三天前 | 版本 3.5 | 等一下 | 我们一起去 | 万一下雨 | 三明治 | 十分好吃 | 周杰伦的歌
快一点 | 早一点来 | 六点差五分 | 两点之间的距离 | 有两点要说 | 十几个人 | 一点也不 | 千万别忘 | 几百万人 | 三十多个
三四个人 | 每周五 | 第三个 | 地铁5号线 | 中山路15号 | 之后天气怎么样 | 三年级 | 提三点建议 | 一个问题 | 双十一
"""


ODD = [
    ("15:30 pm", "15:30 pm = 15:30"),
    ("14 o'clock", "14 o'clock = 14:00"),
    ("for ten to twelve people", "ten = 10; twelve = 12"),
    ("from 14 to 3 pm", "3 pm = 15:00"),
    ("8 am and 5.", "8 am = 08:00"),
    ("three times 13:30 am", "three = 3"),
    ("in 999,999,999 days", "999,999,999 = 999999999"),
    ("from 2.75 to 4 pm", "4 pm = 16:00"),
    ("3pm to 5:75", "3pm = 15:00"),
    ("7 to 3 december", "3 december = 2026-12-03"),
    ("in 2.5 days", "2.5 days = 60 hours"),
    ("60 minutes past five", "five = 5"),
    ("999999999999999999 trillion days", "999999999999999999 trillion = 999999999999999999000000000000"),
    ("今晚差七十分八点", "今晚 = 2026-11-16; 七十 = 70; 八点 = 08:00"),
    ("from the 20th to the 45th", "the 20th = 2026-11-20"),
    ("第三年过三四年", ""),
]


@pytest.mark.parametrize(("question", "expected"), ODD + NUMBERS + DAYS + TIMES + LENGTHS + CHINESE)
def test_what_is_said_in_words_is_noted_in_figures(question, expected):
    assert said(question) == expected


@pytest.mark.parametrize("question", [one.strip() for line in ALONE.strip().splitlines() for one in line.split(" | ")])
def test_what_is_plain_or_uncertain_gets_no_note(question):
    assert said(question) == ""


def test_no_more_than_twelve_notes_are_made_and_none_twice():
    many = " and ".join(f"{thousands},500" for thousands in range(1, 30))
    assert [note.means for note in notes(many, MONDAY)] == [f"{n}500" for n in range(1, MOST_NOTES + 1)]
    assert notes("five apples, five pears", MONDAY) == [Note("five", "5")]


def test_only_the_beginning_is_looked_at_and_nothing_is_read_across_the_cut():
    room = MOST_CHARS - len("1,500")
    assert said("x" * (room - 2) + " 1,500") == "1,500 = 1500"
    assert said("x" * (room - 1) + " 1,500 and 2,500") == ""
    assert said("x" * MOST_CHARS + " 1,500") == ""


@pytest.mark.parametrize("today", [date.min, date.max])
def test_days_beyond_the_calendar_are_not_noted(today):
    beyond = "last week and 三天前" if today == date.min else "next week and 三天后"
    assert said(beyond, today) == ""


def test_nothing_said_is_nothing_written():
    assert written([]) == ""
    assert notes("", MONDAY) == []


@pytest.mark.parametrize("days", range(7))
def test_a_weekday_is_read_from_any_day_of_the_week(days):
    today = MONDAY + timedelta(days)
    coming, following, past = (
        date.fromisoformat(said(text, today)[-10:]) for text in ("wed night", "下周三", "last wednesday")
    )
    assert coming.weekday() == following.weekday() == past.weekday() == 2
    assert 1 <= (coming - today).days <= 7
    assert 1 <= (today - past).days <= 7
    assert following == MONDAY + timedelta(9)
    assert said("next wednesday", today) == f"next wednesday = {following}"
    assert said("本周三", today) == f"本周三 = {MONDAY + timedelta(2)}"
    assert said("this weekend", today) == f"this weekend = {MONDAY + timedelta(5)}"


ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"
MONTHS = "January February March April May June July August September October November December"


def spelt(value: int, *, joint: str, hyphen: str) -> str:
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            head = f"{spelt(value // size, joint=joint, hyphen=hyphen)} {name}"
            return f"{head}{joint if rest < 100 else ' '}{spelt(rest, joint=joint, hyphen=hyphen)}" if rest else head
    if value < 20:
        return ONES.split()[value]
    return TENS.split()[value // 10] + (hyphen + ONES.split()[value % 10] if value % 10 else "")


def zh_spelt(value: int) -> str:
    for size, name in ((10**8, "亿"), (10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if value >= size:
            rest = value % size
            gap = "零" if 0 < rest < size // 10 else ""
            return zh_spelt(value // size) + name + gap + (zh_spelt(rest) if rest else "")
    return "零一二三四五六七八九"[value]


@given(st.integers(1000, 10**15))
def test_any_number_with_separators_is_noted(value):
    assert notes(f"pay ${value:,} to anna", MONDAY) == [Note(f"{value:,}", str(value))]


@given(st.integers(2, 10**12 - 1), st.sampled_from([" ", " and "]), st.sampled_from([" ", "-"]))
def test_any_number_in_words_is_noted(value, joint, hyphen):
    words = spelt(value, joint=joint, hyphen=hyphen)
    assert notes(f"pay {words} euros", MONDAY) == [Note(words, str(value))]


@given(st.integers(1, 10**12 - 1))
def test_any_number_in_chinese_is_noted(value):
    words = zh_spelt(value)
    assert notes(f"请付{words}元", MONDAY) == [Note(words, str(value))]


@given(
    st.integers(1, 10**7),
    st.sampled_from([("万", 10**4), ("亿", 10**8), (" million", 10**6), ("k", 1000), (" dozen", 12)]),
)
def test_any_figure_with_a_magnitude_is_noted(value, magnitude):
    name, size = magnitude
    if (value, name) != (401, "k"):
        assert notes(f"{value}{name}", MONDAY) == [Note(f"{value}{name}", str(value * size))]


@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_any_full_date_is_noted_whatever_today_is(day, today):
    english = f"{MONTHS.split()[day.month - 1]} {day.day}, {day.year}"
    chinese = f"{day.year}年{day.month}月{day.day}日"
    assert notes(f"on {english}", today) == [Note(english, day.isoformat())]
    assert notes(f"{chinese}的票", today) == [Note(chinese, day.isoformat())]


@given(st.dates(date(2026, 1, 1), date(2026, 12, 31)), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_a_date_without_a_year_is_the_next_that_is_not_past(day, today):
    wanted = day.replace(year=today.year)
    wanted = wanted if wanted >= today else day.replace(year=today.year + 1)
    english, chinese = f"{day.day} {MONTHS.split()[day.month - 1][:3]}", f"{day.month}月{day.day}号"
    assert said(f"on {english} please", today) == f"{english} = {wanted}"
    assert said(f"{chinese}的票", today) == f"{chinese} = {wanted}"


@given(st.integers(0, 23), st.integers(0, 59))
def test_any_time_with_its_half_of_the_day_is_noted(hour, minutes):
    spoken = f"{(hour - 1) % 12 + 1}:{minutes:02} {'pm' if hour > 11 else 'am'}"
    assert said(f"at {spoken}") == f"{spoken} = {hour:02}:{minutes:02}"


PIECES = (
    "a an one two twenty hundred thousand million half quarter three quarters and to past of the in at from next last "
    "this friday sat may march 3rd 31 29 12/24 24.12. 2026 99,999 5% 2.5 k pm hours weeks days years ago now o'clock "
    "noon tonight tomorrow minus point trillion 一 两 三 十 百 千 万 亿 半 点 分 刻 个 小时 周 月 日 号 年 天 后 前 "
    '到 下 上 下午 晚 百分之 分之 块 今 明 零 - : . , $ % " “ ( ) / + @ ½ 999999999999999999'
)


@given(st.lists(st.sampled_from(PIECES.split()), max_size=40), st.sampled_from(["", " "]), st.dates())
def test_pieces_in_any_order_are_noted_in_their_order_without_overlap(pieces, between, today):
    in_order(between.join(pieces), today)


@given(st.text(max_size=3000), st.dates())
def test_any_text_is_read(text, today):
    in_order(text, today)


@pytest.mark.parametrize(
    "piece", ["one ", "1,", "1", "三", "“", "(", "1+", "a@", "a/", "in a ", "half ", "1:30 - ", "下午3点到"]
)
def test_the_same_again_and_again_is_read(piece):
    in_order(piece * 100_000, MONDAY)


def in_order(question: str, today: date) -> None:
    found = notes(question, today)
    assert len(found) <= MOST_NOTES
    place = 0
    for note in found:
        assert note.said != note.means
        place = question.index(note.said, place) + len(note.said)

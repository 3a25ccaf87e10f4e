import { readFile } from 'node:fs/promises'
import crawlerUserAgents from 'crawler-user-agents'
import { describe, expect, test } from 'vitest'
import { isCrawler } from './is-crawler.ts'

/** Tenths of a percent of the distinct user agents. */
const share = (agents: readonly string[], is: (agent: string) => boolean) =>
  Math.round((1_000 * agents.filter(is).length) / agents.length)

test('of the browsers that people use, at most one in a thousand is taken for a crawler', async () => {
  const file = new URL('user-agents.json', import.meta.resolve('user-agents'))
  const seen = JSON.parse(await readFile(file, 'utf8')) as { userAgent: string }[] // the package's own list
  const people = [...new Set(seen.map(({ userAgent }) => userAgent))]
  expect(people.length).toBeGreaterThan(900)
  expect(share(people, isCrawler)).toBeLessThanOrEqual(1)
})

test('of the known crawlers, at least 98 in a hundred are found', () => {
  const crawlers = [
    ...new Set(crawlerUserAgents.flatMap(({ instances }) => instances)),
    // Those that call themselves headless are stored as clicks that do not count.
  ].filter((agent) => !/headless|^curl\//i.test(agent))
  expect(crawlers.length).toBeGreaterThan(1_000)
  expect(share(crawlers, isCrawler)).toBeGreaterThanOrEqual(980)
})

const ANDROID = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('a person', () => {
  test.each([
    [
      'in WeChat for Android',
      `Mozilla/5.0 (Linux; Android 12; LGE-AN10 Build/HONORLGE-AN10; wv) ${ANDROID} XWEB/3211 MMWEBSDK/20220303 MMWEBID/7223 MicroMessenger/8.0.21.2120(0x2800153B) Process/toolsmp WeChat/arm64 Weixin NetType/5G`,
    ],
    [
      'in Alipay',
      `Mozilla/5.0 (Linux; U; Android 10; zh-CN; MI 9) ${ANDROID} NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:360) AliApp(AP/10.2.23) AlipayClient/10.2.23 Language/zh-Hans useStatusBar/true isConcaveScreen/true Region/CN ProcessTools/1.0;`,
    ],
    ['in Google Lens for iPhone', `${IPHONE} GoogleLens/1.74 Mobile/15E148 Safari/604.1`],
    ['in Google Maps for iPhone', `${IPHONE} Mobile/15E148 GoogleMaps/24.1`],
    ['who writes of messages', `Mozilla/5.0 (Linux; Android 14; Messages 5) ${ANDROID}`],
    ['in the Sogou browser', `Mozilla/5.0 (Linux; Android 10; M40SE) ${ANDROID} SogouMSE`],
    ['in a news app', `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${ANDROID} SohuNews/5.2`],
    ['with a Discovery', `Mozilla/5.0 (Linux; Android 14; DISCOVERY_2_ME) ${ANDROID}`],
    ['with a Spider 8', `Mozilla/5.0 (Linux; Android 13; Spider 8) ${ANDROID}`],
    ['with an M bot 60', `Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M) ${ANDROID}`],
    ['with a Capture+', `Mozilla/5.0 (Linux; Android 8.1.0; Capture+) ${ANDROID}`],
  ])('%s is none', (_, agent) => {
    expect(isCrawler(agent)).toBe(false)
  })
})

test.each([
  [
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${ANDROID} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ],
  [
    `${IPHONE} Mobile/15E148 Safari/604.1 (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)`,
  ],
  ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Google-Ads-Qualify) Chrome/85.0',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15 (Applebot/0.1)'],
  ['Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)'],
  ['WhatsApp/2.23.20.0 A'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.0.0 Safari/537.36 GoogleMessages/15.1',
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${ANDROID} GoogleMessages/20250601`],
])('%s is a crawler', (agent) => {
  expect(isCrawler(agent)).toBe(true)
})

test('a long user agent is judged by its beginning', () => {
  expect(isCrawler(`${IPHONE} ${'x'.repeat(16_000)}`)).toBe(false)
  expect(isCrawler(`Googlebot/2.1 ${'1'.repeat(16_000)}`)).toBe(true)
})

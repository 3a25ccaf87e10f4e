import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'
import type { Tx } from '../../src/db/database.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom } from '../random.ts'
import { demoDays } from './clicks.ts'
import { findSuperadmin } from './find-superadmin.ts'
import type { DemoSite } from './merchants.ts'
import { daysAgo } from './days-ago.ts'
import { joinedDaysAgo, type Network, type NetworkAgent } from './network.ts'
import { blacklist } from './visitors.ts'

/** Content and settings: news, an alert, manuals, chat logs, the black list, options. */
export async function insertContent(
  tx: Tx,
  { agents, sites, today, now }: Network & { today: Day; now: Date },
): Promise<void> {
  const writer = await findSuperadmin(tx)
  await insertRows(
    tx,
    'news',
    news.map(({ daysBack, html }) => ({
      html,
      created_at: daysAgo(today, daysBack),
      created_by: writer,
    })),
  )
  await insertRows(tx, 'alerts', [
    { enabled: true, html: alert, created_at: daysAgo(today, 3), created_by: writer },
  ])
  await insertRows(
    tx,
    'site_manuals',
    sites.map(({ demo, row }, index) => ({
      site_id: row.id,
      title: demo.sitename,
      html: manualOf(demo),
      updated_at: daysAgo(today, 20 + 9 * index),
    })),
  )
  await insertRows(tx, 'chat_logs', makeChatLogs(agents, today, now))
  await insertRows(
    tx,
    'ip_blacklist',
    blacklist.map((ip) => ({ ip, created_at: daysAgo(today, demoDays + 30) })),
  )
  await tx
    .updateTable('options')
    .set({ value: '1', changed_at: daysAgo(today, demoDays) })
    .where('name', 'in', ['payout_visible', 'lpp_visible'])
    .execute()
}

const news = [
  {
    daysBack: 45,
    html: '<h2>Kindred Lane has a Gift Member link</h2><p>Approval on day 1, sale on day 2. Ask your office for the link.</p>',
  },
  {
    daysBack: 16,
    html: '<h2>New A.V.P. schedule</h2><p>Two more tiers, and better rates from <strong>10 sales a week</strong> on. See the pay schedule on Sites AVP.</p>',
  },
  {
    daysBack: 2,
    html: '<h2>Holiday weekend</h2><p>Traffic doubles from Thursday evening, New York time. <strong>Copper Ace</strong> and <strong>Lantern Live</strong> pay as usual; Slow Dance reports late on Friday.</p><ul><li>Check your links before the shift.</li><li>Submit chat logs the same day.</li></ul>',
  },
]

const alert =
  '<p>Payouts for the last period are approved on Friday. Check your numbers on <strong>Stats</strong> before then.</p>'

const manualOf = ({ sitename, type, types, useApproveSale }: DemoSite): string =>
  [
    `<h2>${sitename}</h2>`,
    `<p>${pitches[type]}</p>`,
    '<h3>Links</h3>',
    `<ul>${types.map(({ typename }) => `<li>${typename}</li>`).join('')}</ul>`,
    useApproveSale
      ? '<p>This site approves on day 1; the sale counts on day 2, when the customer has stayed.</p>'
      : '<p>A sale counts as soon as the merchant reports it, mostly within the hour.</p>',
    '<h3>Please do not</h3><ul><li>promise anything the site does not offer</li><li>sign up for a customer</li></ul>',
  ].join('')

const pitches: Record<DemoSite['type'], string> = {
  WEBCAMS:
    'Live rooms with hosts from many countries. Customers like that they can look around first.',
  ADULT: 'For customers over 18. Say what the membership costs before they open the link.',
  DATING: 'Profiles are checked by hand. The free profile sells the membership by itself.',
  CASINO: 'Only for customers of legal age where they live. Mention the limits page.',
}

/** Some agents write more than others, and none before they joined. */
function makeChatLogs(agents: readonly NetworkAgent[], today: Day, now: Date) {
  const working = agents.filter(
    ({ unapproved, links, office }) =>
      !unapproved && links.length > 0 && office.suspendedDaysAgo === undefined,
  )
  const random = createRandom('chat logs')
  return Array.from({ length: 90 }, () => {
    const agent = random.pick(working)
    const oldest = Math.min(60, joinedDaysAgo(agent, agent.office))
    const day = addDays(today, -(1 + random.below(oldest)))
    const hour = String(random.below(24)).padStart(2, '0')
    const submittedAt = atNewYork(day, `${hour}:${String(10 + random.below(50))}`)
    const { site } = random.pick(agent.links).type
    const client = `${random.pick(clients)}${random.below(90)}`
    return {
      agent_id: agent.id,
      office_id: agent.office.id,
      site_id: site.row.id,
      client_username: client,
      conversation: conversationOf(random.below(conversations.length), client, site.demo.sitename),
      submitted_at: submittedAt,
    }
  })
    .filter(({ submitted_at }) => submitted_at <= now)
    .toSorted((a, b) => Number(a.submitted_at) - Number(b.submitted_at))
}

const clients = ['riverman', 'quietguy', 'sunny_k', 'tx_drifter', 'blueboat', 'halfmoon', 'grayfox']

const conversationOf = (index: number, client: string, site: string): string =>
  (conversations[index] ?? []).join('\n').replaceAll('{client}', client).replaceAll('{site}', site)

const conversations = [
  [
    '{client}: hi, how was your day?',
    'me: long, but fine :) yours?',
    '{client}: same. so what is {site} about?',
    'me: have a look around first, the profile costs nothing',
    '{client}: ok, opening it now',
  ],
  [
    '{client}: is there an app?',
    'me: it runs in the browser, {site} works on phones too',
    '{client}: nice, will try tonight',
    'me: tell me how it went!',
  ],
  [
    '{client}: do I need a card?',
    'me: not to look around. For the membership yes, the price is on the page',
    '{client}: fair enough',
  ],
  [
    '{client}: I signed up, what now?',
    'me: confirm the mail they sent you, then you are in',
    '{client}: got it, thanks for the help',
    'me: enjoy {site}!',
  ],
]

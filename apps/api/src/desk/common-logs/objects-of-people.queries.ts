import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import { finder, state, yes } from './object-finder.ts'

export const agentFinder = finder(
  (keys) => sql<
    AccountRow & {
      office_id: number
      office: string
      first_name: string
      last_name: string
      must_read: string
      active: boolean
      hidden: boolean
      approved: boolean
      flagged: boolean
      sites_off: string[]
      held_back: HeldBack
    }
  >`
    select
      agent.id::text as key, account.username, account.email, account.password_hash,
      account.login_blocked, account.login_open_until,
      agent.office_id, office.name as office, agent.first_name, agent.last_name, agent.must_read,
      agent.active, agent.hidden, agent.approved_at is not null as approved,
      agent.fraud_flagged_at is not null as flagged,
      array(
        select site.sitename from agent_sites_off as off join sites as site on site.id = off.site_id
        where off.agent_id = agent.id order by 1
      ) as sites_off,
      array(${heldBackFor(sql`agent.id`)}) as held_back
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    join offices as office on office.id = agent.office_id
    where agent.id = any(${ids(keys)})
  `,
  (agent) => ({
    name: agent.username,
    also: [`office:${agent.office_id}`],
    fields: {
      ...accountFields(agent),
      office: agent.office,
      'first name': agent.first_name,
      'last name': agent.last_name,
      'must-read note': agent.must_read,
      state: state(agent.active),
      hidden: yes(agent.hidden),
      approved: yes(agent.approved),
      'fraud flag': yes(agent.flagged),
      'switched-off sites': agent.sites_off,
      [HELD_BACK]: heldBackTexts(agent.held_back),
    },
    secrets: passwordOf(agent),
  }),
)

export const officeFinder = finder(
  (keys) => sql<
    AccountRow & {
      name: string
      man_first_name: string
      man_last_name: string
      man_email: string | null
      agent_notes: string
      domain: string | null
      active: boolean
      hidden: boolean
      sites: string[]
      held_back: HeldBack
    }
  >`
    select
      office.id::text as key, account.username, account.email, account.password_hash,
      account.login_blocked, account.login_open_until,
      office.name, office.man_first_name, office.man_last_name, office.man_email,
      office.agent_notes, domain.domain, office.active, office.hidden,
      array(
        select site.sitename from office_sites as allowed join sites as site on site.id = allowed.site_id
        where allowed.office_id = office.id order by 1
      ) as sites,
      array(
        ${heldBackFor(sql`any(array(select id from agents where office_id = office.id))`)}
      ) as held_back
    from offices as office
    join accounts as account on account.office_id = office.id
    left join preferred_domains as domain on domain.id = office.preferred_domain_id
    where office.id = any(${ids(keys)})
  `,
  (office) => ({
    name: office.name,
    fields: {
      name: office.name,
      ...accountFields(office),
      'manager’s first name': office.man_first_name,
      'manager’s last name': office.man_last_name,
      'manager’s email': office.man_email ?? '',
      'must-read note': office.agent_notes,
      'preferred domain': office.domain ?? '',
      state: state(office.active),
      hidden: yes(office.hidden),
      sites: office.sites,
      [HELD_BACK]: heldBackTexts(office.held_back),
    },
    secrets: passwordOf(office),
  }),
)

export const adminFinder = finder(
  (keys) => sql<
    AccountRow & {
      suspended: boolean
      earning_visible: boolean
      approve_agents: boolean
      show_suspend: boolean
      show_suspend_chosen: boolean
      show_common_logs: boolean
      pay: boolean
      delete_agents: boolean
      delete_sites: boolean
    }
  >`
    select
      id::text as key, username, email, password_hash, login_blocked, login_open_until, suspended,
      earning_visible, approve_agents, show_suspend, show_suspend_chosen, show_common_logs, pay,
      delete_agents, delete_sites
    from accounts
    where id = any(${ids(keys)}) and role in (0, 5)
  `,
  (admin) => ({
    name: admin.username,
    fields: {
      ...accountFields(admin),
      state: state(!admin.suspended),
      'right to see earnings': yes(admin.earning_visible),
      'right to approve agents': yes(admin.approve_agents),
      'right to see suspended accounts': yes(admin.show_suspend),
      'choice to see suspended accounts': yes(admin.show_suspend_chosen),
      'right to read the common logs': yes(admin.show_common_logs),
      'right to manage pay': yes(admin.pay),
      'right to delete agents': yes(admin.delete_agents),
      'right to delete sites': yes(admin.delete_sites),
    },
    secrets: passwordOf(admin),
  }),
)

/** The field with what is held back for agents, which only whoever may manage pay sees. */
export const HELD_BACK = 'pay held back'

type HeldBack = { currency: Currency; amount: number; reason: string; waits: boolean }[]

/** What is held back for agents and was not taken back. `waits`: a second person decides whether it is. */
const heldBackFor = (agents: ReturnType<typeof sql>) => sql`
  select jsonb_build_object(
    'currency', adjustment.currency, 'amount', adjustment.amount, 'reason', adjustment.reason,
    'waits', exists (
      select from pay_proposals as proposal
      left join pay_proposal_decisions as decision on decision.proposal_id = proposal.id
      where proposal.opposite_of = adjustment.id and decision.proposal_id is null
    )
  )
  from adjustments as adjustment
  left join adjustments as opposite on opposite.opposite_of = adjustment.id
  where adjustment.held_back_for = ${agents} and opposite.id is null
  order by adjustment.id
`

const heldBackTexts = (held: HeldBack): string[] =>
  held.map(
    ({ currency, amount, reason, waits }) =>
      `${moneyText(amount, currency)} (${reason})${waits ? ', until a second person gives it back' : ''}`,
  )

const ids = (keys: readonly string[]) => sql`${keys.map(Number)}::bigint[]`

type AccountRow = {
  key: string
  username: string
  email: string | null
  password_hash: string
  login_blocked: boolean
  login_open_until: Date | null
}

const accountFields = (account: AccountRow) => ({
  username: account.username,
  email: account.email ?? '',
  login: account.login_blocked ? 'blocked' : 'enabled',
  'login window': account.login_open_until
    ? `open until ${formatDateTime(account.login_open_until)}`
    : '',
})

const passwordOf = (account: AccountRow) => ({ password: account.password_hash })

import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { officeLabels, agentLabels, adminLabels } from '@tallyroom/contract/people/labels'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import { findAdminForms, findAgentForms, findOfficeForms } from '../../people/index.ts'
import { formFields, widerFinder, yes } from './object-finder.ts'

export const agentFinder = widerFinder(
  {
    forms: findAgentForms,
    keyOf: ({ id }) => id,
    around: (ids) => sql<Account & { key: string; sites: string[]; held_back: HeldBack }>`
      select
        agent.id::text as key, account.password_hash, account.login_open_until,
        array(
          select site.sitename
          from office_sites as allowed
          join sites as site on site.id = allowed.site_id and not site.hidden
          where allowed.office_id = agent.office_id and site.deleted_at is null
            and not exists (
              select from agent_sites_off as off
              where off.agent_id = agent.id and off.site_id = allowed.site_id
            )
          order by 1
        ) as sites,
        array(${heldBackFor(sql`agent.id`)}) as held_back
      from agents as agent
      join accounts as account on account.agent_id = agent.id
      where agent.id = any(${ids}::bigint[])
    `,
  },
  (agent, { sites, held_back, ...account }) => ({
    name: agent.username,
    also: [`office:${agent.officeId}`],
    fields: {
      ...formFields(agentLabels, { ...agent, officeId: agent.officeName, siteIds: sites }),
      ...loginWindow(account),
      approved: yes(agent.approved),
      'fraud flag': yes(agent.fraudFlaggedAt !== null),
      [HELD_BACK]: heldBackTexts(held_back),
    },
    secrets: passwordOf(account),
  }),
)

export const officeFinder = widerFinder(
  {
    forms: findOfficeForms,
    keyOf: ({ companyId }) => companyId,
    around: (ids) => sql<
      Account & {
        key: string
        login_blocked: boolean
        domain: string | null
        sites: string[]
        held_back: HeldBack
      }
    >`
      select
        office.id::text as key, account.password_hash, account.login_blocked,
        account.login_open_until, domain.domain,
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
      where office.id = any(${ids}::bigint[])
    `,
  },
  (office, { domain, sites, held_back, ...account }) => ({
    name: office.officeName,
    fields: {
      ...formFields(officeLabels, { ...office, preferredDomainId: domain ?? '', siteIds: sites }),
      'login blocked': yes(account.login_blocked),
      ...loginWindow(account),
      [HELD_BACK]: heldBackTexts(held_back),
    },
    secrets: passwordOf(account),
  }),
)

export const adminFinder = widerFinder(
  {
    forms: findAdminForms,
    keyOf: ({ id }) => id,
    around: (ids) => sql<
      Account & {
        key: string
        show_suspend_chosen: boolean
        delete_agents: boolean
        delete_sites: boolean
      }
    >`
      select
        id::text as key, password_hash, login_open_until, show_suspend_chosen, delete_agents,
        delete_sites
      from accounts
      where id = any(${ids}::bigint[])
    `,
  },
  (admin, account) => ({
    name: admin.username,
    fields: {
      ...formFields(adminLabels, admin),
      ...formFields(statusLabels, admin),
      ...loginWindow(account),
      'choice to see suspended accounts': yes(account.show_suspend_chosen),
      'right to delete agents': yes(account.delete_agents),
      'right to delete sites': yes(account.delete_sites),
    },
    secrets: passwordOf(account),
  }),
)

/** An admin's status, which is not in the form. */
const statusLabels = { active: 'Active', loginBlocked: agentLabels.loginBlocked }

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

type Account = { password_hash: string; login_open_until: Date | null }

const loginWindow = ({ login_open_until: end }: Account) => ({
  'login window': end ? `open until ${formatDateTime(end)}` : '',
})

const passwordOf = (account: Account) => ({ password: account.password_hash })

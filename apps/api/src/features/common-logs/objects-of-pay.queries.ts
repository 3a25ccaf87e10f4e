import { payFileLayoutSchema } from '@tallyroom/contract/pay-files'
import { institutionName } from '@tallyroom/domain/institutions'
import { moneyText } from '@tallyroom/contract/statement-sections'
import type { Currency, PayeeKind } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import { type Find, finder, yes } from './object-finder.ts'

/** A payment run: its state, whom it pays, and the result of each transfer. */
export const paymentRunFinder: Find = finder(
  (keys) => sql<{
    key: string
    number: string
    currency: Currency
    steps: string[]
    lines: {
      payee: string
      amount: number
      reference: string
      removed: boolean
      paid: boolean | null
    }[]
  }>`
    select
      run.id::text as key, run.number, run.currency,
      array(
        select step.step from payment_run_steps as step where step.run_id = run.id order by step.made_at
      ) as steps,
      (
        select coalesce(json_agg(
          json_build_object(
            'payee', line.payee_name, 'amount', line.amount, 'reference', line.reference,
            'removed', line.removed_because is not null, 'paid', result.paid
          ) order by line.payee_name, line.id
        ), '[]')
        from payment_run_lines as line
        left join payment_results as result on result.run_line_id = line.id
        where line.run_id = run.id
      ) as lines
    from payment_runs as run
    where run.id = any(${keys.map(Number)}::bigint[])
  `,
  ({ number, currency, steps, lines }) => ({
    name: number,
    fields: {
      state: steps.at(-1) ?? 'prepared',
      lines: lines
        .filter(({ removed }) => !removed)
        // The reference distinguishes payees with the same name and amount.
        .map(
          ({ payee, amount, reference }) =>
            `${payee} ${moneyText(amount, currency)} (${reference})`,
        ),
      // Without the bank’s reason: its text may hold account numbers, and entries can’t be erased.
      results: lines
        .filter(({ paid }) => paid !== null)
        .map(({ payee, paid }) => (paid ? `${payee} paid` : `${payee} failed`)),
    },
  }),
)

/** An account as lists show it. It is also in its payee's history. */
export const payeeAccountFinder: Find = finder(
  (keys) => sql<{
    key: string
    kind: PayeeKind
    payeeId: number
    payee: string
    institution: string | null
    lastCharacters: string
    currency: Currency
    confirmations: number
    confirmed: number
    refused: boolean
  }>`
    select
      account.id::text as key, account.payee_kind as kind, account.payee_id as "payeeId",
      coalesce(office.name, person.username, 'deleted ' || account.payee_kind || ' ' || account.payee_id)
        as payee,
      account.institution, account.last_characters as "lastCharacters", account.currency,
      account.confirmations,
      (
        select count(*) from payee_account_decisions as decision
        where decision.account_id = account.id and decision.confirmed
      ) as confirmed,
      exists (
        select from payee_account_decisions as decision
        where decision.account_id = account.id and not decision.confirmed
      ) as refused
    from payee_accounts as account
    left join offices as office on account.payee_kind = 'office' and office.id = account.payee_id
    left join accounts as person
      on account.payee_kind = 'agent' and person.agent_id = account.payee_id
    where account.id = any(${keys.map(Number)}::bigint[])
  `,
  (row) => ({
    name: `the account •••• ${row.lastCharacters} of ${row.payee}`,
    also: [`${row.kind}:${row.payeeId}`],
    fields: {
      institution: institutionName(row.institution ?? ''),
      currency: row.currency,
      confirmation: row.refused
        ? 'refused'
        : row.confirmed >= row.confirmations
          ? 'confirmed'
          : `${row.confirmed} of ${row.confirmations}`,
    },
  }),
)

/** What a bank's files look like. */
export const payFileFinder: Find = finder(
  (keys) => sql<{ key: string; name: string; layout: unknown }>`
    select id::text as key, name, layout
    from pay_file_templates
    where id = any(${keys.map(Number)}::bigint[])
  `,
  ({ name, layout }) => {
    const { columns, channels, ...rest } = payFileLayoutSchema.parse(layout)
    return {
      name,
      fields: {
        name,
        columns: columns.map(({ header, field, text, longest }) =>
          [header, text ?? field, longest && `at most ${longest}`].filter(Boolean).join(': '),
        ),
        channels: channels.map((one) =>
          [
            one.name,
            one.takes,
            one.currency,
            one.over && `over ${moneyText(one.over, one.currency)}`,
            one.upTo && `up to ${moneyText(one.upTo, one.currency)}`,
          ]
            .filter(Boolean)
            .join(' '),
        ),
        headings: yes(rest.headings),
        separator: rest.separator,
        encoding: rest.encoding,
        quotes: yes(rest.quotes),
        decimals: rest.decimals,
        'lines per file': String(rest.mostLines),
        'result columns': rest.results ? JSON.stringify(rest.results) : '',
      },
    }
  },
)

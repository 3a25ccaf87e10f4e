import type { PayFileLayout } from '@tallyroom/contract/pay/files/files'
import {
  journalAccountLabels,
  payFileLabels,
  paySettingsLabels,
} from '@tallyroom/contract/pay/labels'
import { institutionName } from '@tallyroom/domain/institutions'
import { moneyText, rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import { taxRateText } from '@tallyroom/domain/withholding'
import type { Day } from '@tallyroom/domain/new-york'
import type { CountsAs, Currency, PayeeKind } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import {
  CONFIRMATIONS_NEEDED,
  findPayeeNames,
  findPaySettingsForm,
  findTemplates,
  getJournalAccounts,
  payeeText,
  type ProposalKind,
} from '../../pay/index.ts'
import { type Find, finder, formFields, formFinder, snapshot, idsOf } from './object-finder.ts'

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
      returned: boolean
      refused: boolean
      settled: boolean
    }[]
    executionDay: Day | null
    files: string[]
    downloads: string[]
  }>`
    select
      run.id::text as key, run.number, run.currency, run.execution_day as "executionDay",
      array(
        select file.name || coalesce(' with the date ' || file.execution_day, '') || ' SHA-256 ' || encode(file.sha256, 'hex')
        from payment_run_files as file
        where file.run_id = run.id
        order by file.place
      ) as files,
      array(
        select download.name || coalesce(' SHA-256 ' || encode(download.sha256, 'hex'), '')
        from payment_file_downloads as download
        where download.run_id = run.id
        order by download.id
      ) as downloads,
      array(
        select step.step from payment_run_steps as step where step.run_id = run.id order by step.made_at
      ) as steps,
      (
        select coalesce(json_agg(
          json_build_object(
            'payee', line.payee_name, 'amount', line.amount, 'reference', line.reference,
            'removed', line.removed_because is not null, 'paid', result.paid,
            'returned', returned.run_line_id is not null, 'refused', refusal.run_line_id is not null,
            'settled', settled.run_line_id is not null
          ) order by line.payee_name, line.id
        ), '[]')
        from payment_run_lines as line
        left join payment_results as result on result.run_line_id = line.id
        left join payment_returns as returned on returned.run_line_id = line.id
        left join payment_refusals as refusal on refusal.run_line_id = line.id
        left join settled_refusals as settled on settled.run_line_id = line.id
        where line.run_id = run.id
      ) as lines
    from payment_runs as run
    where run.id = any(${idsOf(keys)}::bigint[])
  `,
  ({ number, currency, steps, lines, executionDay, files, downloads }) => ({
    name: number,
    fields: {
      // A field for each: a list of hashes would be cut.
      ...numbered('file', files),
      ...numbered('download', downloads),
      state: steps.at(-1) ?? 'prepared',
      ...(executionDay !== null && { 'execution date': executionDay }),
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
        .map(({ payee, paid, returned, refused, settled }) =>
          [
            `${payee} ${paid ? 'paid' : 'failed'}`,
            ...(refused ? ['refused as well'] : []),
            ...(settled ? ['paid after all'] : []),
            ...(returned ? ['came back'] : []),
          ].join(', '),
        ),
    },
  }),
)

const numbered = (name: string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, index) => [`${name} ${index + 1}`, value]))

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
      ${CONFIRMATIONS_NEEDED} as confirmations,
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
    where account.id = any(${idsOf(keys)}::bigint[])
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
export const payFileFinder = formFinder(findTemplates, ({ name, layout }) => ({
  name,
  fields: formFields(payFileLabels, {
    ...layout,
    name,
    columns: layout.columns.map((column) => {
      const { header, field, text, dateStyle, words, letters, longest } = column
      return [
        header,
        text ?? field,
        dateStyle,
        words && `${words.office} or ${words.agent}`,
        letters && `letters ${letters}`,
        longest && `at most ${longest}`,
        ...widthTexts(column),
      ]
        .filter(Boolean)
        .join(': ')
    }),
    firstLine: layout.firstLine.map(edgeText),
    lastLine: layout.lastLine.map(edgeText),
    channels: layout.channels.map((one) =>
      [
        one.name,
        one.takes,
        one.currency,
        one.over && `over ${moneyText(one.over, one.currency)}`,
        one.upTo && `up to ${moneyText(one.upTo, one.currency)}`,
        one.split && 'splits more',
      ]
        .filter(Boolean)
        .join(' '),
    ),
    institutions: layout.institutions.map(({ bic, name: called, code }) =>
      [bic, called, code].filter(Boolean).join(': '),
    ),
    payer: layout.payer ? Object.values(layout.payer).filter(Boolean).join(', ') : '',
    results: layout.results ? JSON.stringify(layout.results) : '',
  }),
}))

const edgeText = (edge: PayFileLayout['firstLine'][number]): string =>
  [edge.text ?? edge.field, edge.dateStyle, ...widthTexts(edge)].filter(Boolean).join(': ')

const widthTexts = ({
  width,
  align,
  fill,
}: Pick<PayFileLayout['firstLine'][number], 'width' | 'align' | 'fill'>) => [
  width && `${width} wide`,
  align,
  fill && `${fill}s`,
]

/** The settings that were saved last. The first ones switch pay on, and change nothing. */
export const paySettingsFinder: Find = async (db) => {
  const form = await findPaySettingsForm(db)
  if (!form) return new Map()
  const labels = { ...paySettingsLabels, ...journalAccountLabels }
  const { vendors, ...accounts } = await getJournalAccounts(db)
  const names = await findPayeeNames(db, vendors)
  const fields = formFields(labels, {
    ...form,
    ...accounts,
    vendors: vendors.map((vendor) => `${names.get(payeeText(vendor)) ?? ''}: ${vendor.name}`),
    minimumCentavos: moneyText(form.minimumCentavos, 'PHP'),
    minimumCents: moneyText(form.minimumCents, 'USD'),
  })
  return new Map([['0', snapshot({ name: 'the pay settings', fields })]])
}

/** What waits for a second person, and what became of it. It is also in the history of its payee, and of its run. */
export const payProposalFinder: Find = finder(
  (keys) => sql<{
    key: string
    kind: ProposalKind
    payeeKind: PayeeKind | null
    payeeId: number | null
    payee: string | null
    currency: Currency | null
    amount: number | null
    countsAs: CountsAs | null
    period: string | null
    pesosE4: number | null
    fromDay: Day | null
    rateBp: number | null
    runId: number | null
    reference: string | null
    file: string | null
    run: string | null
    centavos: number | null
    cents: number | null
    voucher: string | null
    decision: string | null
  }>`
    select
      proposal.id::text as key, proposal.kind, proposal.payee_kind as "payeeKind",
      proposal.payee_id as "payeeId",
      coalesce(
        office.name, person.username, 'deleted ' || proposal.payee_kind || ' ' || proposal.payee_id
      ) as payee,
      proposal.currency, proposal.amount, proposal.counts_as as "countsAs", proposal.period, proposal.pesos_e4 as "pesosE4",
      proposal.from_day as "fromDay", proposal.tax_bp as "rateBp",
      coalesce(line.run_id, proposal.run_id) as "runId", line.reference, proposal.file_name as file,
      run.number as run, proposal.limit_centavos as centavos,
      proposal.limit_cents as cents, proposal.voucher, decision.decision
    from pay_proposals as proposal
    left join pay_proposal_decisions as decision on decision.proposal_id = proposal.id
    left join payment_run_lines as line on line.id = proposal.run_line_id
    left join payment_runs as run on run.id = proposal.run_id
    left join offices as office on proposal.payee_kind = 'office' and office.id = proposal.payee_id
    left join accounts as person
      on proposal.payee_kind = 'agent' and person.agent_id = proposal.payee_id
    where proposal.id = any(${idsOf(keys)}::bigint[])
  `,
  (row) => {
    const money = moneyText(row.amount ?? 0, row.currency ?? 'PHP')
    const as = row.countsAs === 'not income' ? ', not income' : ''
    const name = {
      adjustment: `the adjustment of ${row.payee} by ${money}${as}`,
      'exchange rate': `the exchange rate of ${row.period}, ${rateText(row.pesosE4 ?? 0)}`,
      result: `the failure of ${row.reference}, ${money} to ${row.payee}`,
      return: `the return of ${row.reference}, ${money} to ${row.payee}`,
      'refused file': `the bank’s refusal of ${row.file} of ${row.run}, ${money}`,
      'payment outside': `the payment of ${money} to ${row.payee}, voucher ${row.voucher}`,
      'money received': `the ${money} received from ${row.payee}, voucher ${row.voucher}`,
      correction: `the correction of ${row.payee}’s former balance by ${money}${as}`,
      conversion: `the conversion of ${money} of ${row.payee} at ${rateText(row.pesosE4 ?? 0)}`,
      'tax rate': `the withholding tax of ${row.payee}, ${taxRateText(row.rateBp ?? 0)} from ${row.fromDay}`,
      limits: `the limits of adjustments, ${moneyText(row.centavos ?? 0, 'PHP')} and ${moneyText(row.cents ?? 0, 'USD')}`,
    }[row.kind]
    return {
      name,
      also: [
        ...(row.payeeKind === null ? [] : [`${row.payeeKind}:${row.payeeId}` as const]),
        ...(row.runId === null ? [] : [`paymentRun:${row.runId}` as const]),
      ],
      fields: { decision: row.decision ?? 'waits' },
    }
  },
)

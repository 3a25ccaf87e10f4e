import type { WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import { outsideText } from '@tallyroom/contract/pay/outside/outside'
import {
  CURRENCY_NAMES,
  moneyText,
  rateText,
  taxText,
} from '@tallyroom/contract/pay/statements/statement-sections'
import { otherThan } from '@tallyroom/domain/conversion'
import { daysInWords } from '@tallyroom/domain/periods'
import { LinkText } from '../../ui/links.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { signedMoney } from '../pay-words.ts'
import { BalanceLink } from '../../shared/payee-links.tsx'

type Does = WaitingProposal['does']

/** What a proposal does, with a link to what it changes. */
export function ProposalText({ does }: { does: Does }) {
  switch (does.kind) {
    case 'adjustment':
      return (
        <>
          {does.takesBack ? 'Take back an adjustment of ' : 'Adjust '}
          <BalanceLink payee={does.payee} underlined />
          {`${does.takesBack ? ': ' : ' by '}${signedMoney(does.amount, does.currency)}${asText(does)}`}
        </>
      )
    case 'exchange rate':
      return (
        <>
          Exchange rate of{' '}
          <LinkText to="/app/pay/periods/$name" params={{ name: does.period }} underlined>
            {does.period}
          </LinkText>
          : {rateText(does.pesosE4)}
        </>
      )
    case 'result':
      return (
        <>
          The transfer of {moneyText(does.amount, does.currency)} to{' '}
          <BalanceLink payee={does.payee} underlined /> failed
        </>
      )
    case 'return':
      return (
        <WithDays>
          The transfer of {moneyText(does.amount, does.currency)} to{' '}
          <BalanceLink payee={does.payee} underlined /> was paid and came back on {does.returnedOn}
        </WithDays>
      )
    case 'refused file':
      return (
        <WithDays>
          The bank refused {does.file} of <RunLink run={does.run} /> on {does.refusedOn}:{' '}
          {moneyText(does.amount, does.currency)}
        </WithDays>
      )
    case 'payment outside':
      return (
        <WithDays>
          {moneyText(does.amount, does.currency)} paid to{' '}
          <BalanceLink payee={does.payee} underlined /> {outsideText(does)}
        </WithDays>
      )
    case 'money received':
      return (
        <WithDays>
          {moneyText(does.amount, does.currency)} received from{' '}
          <BalanceLink payee={does.payee} underlined /> {outsideText(does)}
        </WithDays>
      )
    case 'correction':
      return (
        <>
          Adjust the balance of <BalanceLink payee={does.payee} underlined /> in{' '}
          {CURRENCY_NAMES[does.currency]}
          {` by ${signedMoney(does.amount, does.currency)}${asText(does)}`}
        </>
      )
    case 'conversion':
      return (
        <>
          Convert {moneyText(does.amount, does.currency)} of{' '}
          <BalanceLink payee={does.payee} underlined /> to{' '}
          {moneyText(does.converted, otherThan(does.currency))} at {rateText(does.pesosE4)}
        </>
      )
    case 'tax rate':
      return (
        <>
          Withholding tax of <BalanceLink payee={does.payee} underlined />: {taxText(does)}, from{' '}
          {daysInWords({ start: does.fromDay, end: does.fromDay })} on
        </>
      )
    case 'limits':
      return (
        <>
          Limits of adjustments: {moneyText(does.limits.PHP, 'PHP')} and{' '}
          {moneyText(does.limits.USD, 'USD')}
        </>
      )
  }
}

const RunLink = ({ run }: { run: { id: number; number: string } }) => (
  <LinkText to="/app/pay/runs/$runId" params={{ runId: String(run.id) }} underlined>
    {run.number}
  </LinkText>
)

/** Nothing of what is earned. */
const asText = ({ countsAs }: Pick<Extract<Does, { kind: 'correction' }>, 'countsAs'>): string =>
  countsAs === 'not income' ? ', which is not income' : ''

/** `4 statements take` */
const statementsText = (count: number): string =>
  count === 1 ? 'statement takes' : `${count} statements take`

/** What approving does, in a sentence or two. */
export function ProposalEffect({ does }: { does: Does }) {
  switch (does.kind) {
    case 'adjustment':
      return (
        <>
          Once approved, it is a line of the next statement. It doesn’t count before.
          {does.countsAs === 'not income' && ' No tax is withheld from it.'}
          {does.heldBackFor !== null &&
            ` It is taken back by itself when an admin clears ${does.heldBackFor} of fraud.`}
        </>
      )
    case 'exchange rate':
      return <>Once approved, statements of the period are converted at this rate.</>
    case 'result':
    case 'return':
      return (
        <>
          Once approved, the amount is owed again, and the next run pays it. If it arrived after
          all, it is paid twice, so ask the bank about {does.reference} of{' '}
          <RunLink run={does.run} />.
        </>
      )
    case 'refused file':
      return (
        <>
          Once approved, each transfer of this file that has no result failed: its amount is owed
          again, and the next run pays it. If the bank carried it out after all, all of it is paid
          twice, so look into the bank’s portal first.
        </>
      )
    case 'payment outside':
      return (
        <>
          Once approved, it is taken from the balance. Look at the receipt first: no bank’s file
          says that it was paid.
          {does.advance &&
            ` ${moneyText(does.advance.amount, does.currency)} of it is an advance: it is not owed yet, and the next ${statementsText(does.advance.instalments)} it back.`}
        </>
      )
    case 'money received':
      return (
        <>
          Once approved, it ends advances, the oldest first, and the rest of it raises the balance.
          It is no income, so no tax is given back. Look at the receipt first, or at the account of
          the network.
        </>
      )
    case 'correction':
      return (
        <>
          The payee is paid in another currency now, so no statement shows this: once approved, it
          changes the balance at once.
        </>
      )
    case 'conversion':
      return (
        <>
          Once approved, the balance in {CURRENCY_NAMES[does.currency]} is zero, and the next run
          pays {moneyText(does.converted, otherThan(does.currency))} more.
        </>
      )
    case 'tax rate':
      return (
        <>
          Once approved, statements of periods that end on that day or later{' '}
          {does.code === null
            ? 'withhold nothing.'
            : 'withhold it from what was earned, and the network owes it to the tax office.'}
        </>
      )
    case 'limits':
      return <>Once approved, larger adjustments wait for a second person.</>
  }
}

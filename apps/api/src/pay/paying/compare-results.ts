import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Currency } from '@tallyroom/domain/pay'
import type { ReadMessage } from '../files/message-results.ts'
import type { Problem, Result } from '../files/result-file.ts'
import type { LineRow } from '../runs/payment-runs.queries.ts'
import { linesToPay, type Run } from '../runs/run.ts'

/** A result of a line, and what it means there. One that was paid and has failed since came back. */
export type Taken = {
  line: LineRow
  result: Result
  means: 'paid' | 'failed' | 'returned' | 'known'
}

/** Compares results with a run's lines. By hand, a return is an act of its own. */
export function compare(
  run: Run,
  results: readonly Result[],
  how: { byHand: boolean },
): { problems: Problem[]; taken: Taken[] } {
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  const seen = new Map<string, number>()
  const problems: Problem[] = []
  const taken: Taken[] = []
  for (const result of results) {
    const line = lines.get(result.reference)
    const earlier = seen.get(result.reference)
    seen.set(result.reference, earlier ?? result.place)
    const problem = problemWith(run, result, line, earlier, how)
    if (problem) problems.push({ line: result.place, problem })
    else if (line) taken.push({ line, result, means: meaningOf(line, result) })
  }
  return { problems, taken }
}

function meaningOf({ paid, returned_on }: LineRow, result: Result): Taken['means'] {
  if (paid === null) return result.paid ? 'paid' : 'failed'
  return paid && !result.paid && returned_on === null ? 'returned' : 'known'
}

function problemWith(
  { currency, number }: Run,
  { reference, amounts, paid, reason }: Result,
  line: LineRow | undefined,
  earlier: number | undefined,
  { byHand }: { byHand: boolean },
): string | undefined {
  const unit = currency as Currency // payment_runs__currency
  if (!line) return `“${reference}” is not a reference of ${number}`
  if (earlier !== undefined) return `“${reference}” is also on line ${earlier}`
  if (amounts && !amounts.includes(line.amount))
    return `the amount is ${moneyText(amounts[0] ?? 0, unit)}, but ${reference} is ${moneyText(line.amount, unit)}`
  if (line.paid === false && paid) return `${reference} failed before, which can’t be changed`
  if (byHand && line.paid && !paid)
    return `${reference} was paid before. If it came back since, enter that it was returned`
  // That it will not be sent can be said by hand: then its file does not leave.
  if (line.paid === null && line.sent_at === null && (paid || !byHand))
    return `${reference} is in ${line.file}, which nobody has downloaded`
  if (!paid && reason === '') return `${reference} failed without a reason`
  return undefined
}

/** Compares what a message says, which may have what it paid and what came back of it since. */
export function compareMessage(
  run: Run,
  { results, back }: Pick<ReadMessage, 'results' | 'back'>,
): { problems: Problem[]; taken: Taken[] } {
  const lines = new Map(linesToPay(run).map((line) => [line.reference, line]))
  const since = new Map(back.map((one) => [one.reference, one]))
  // Of what has a result already, what came last counts.
  const isOpen = ({ reference }: Result) => lines.get(reference)?.paid === null
  const first = results.map((one) => (isOpen(one) ? one : (since.get(one.reference) ?? one)))
  const compared = compare(run, first, { byHand: false })
  const paid = compared.taken.filter(({ means }) => means === 'paid')
  const then = paid.flatMap(({ line, result }): Taken[] => {
    const returned = since.get(result.reference)
    return returned ? [{ line, result: returned, means: 'returned' }] : []
  })
  const wrong = then.filter(({ line, result }) => !isWhole(line, result))
  return {
    problems: [
      ...compared.problems,
      ...wrong.map(({ line, result }) => ({
        line: result.place,
        problem: `${line.reference} is there with another amount than the payment that it returns`,
      })),
    ],
    taken: [...compared.taken, ...then.filter(({ line, result }) => isWhole(line, result))],
  }
}

const isWhole = ({ amount }: LineRow, { amounts }: Result): boolean =>
  amounts?.includes(amount) ?? true

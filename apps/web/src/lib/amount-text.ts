import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'

/*
 * An amount in the URL: report, column, days, and its criteria as a letter and a number each. This
 * keeps a link to an open explanation readable and short:
 * `payroll.payout.2026-11-16.2026-11-22.c1.a3.s7.t12`. A sub id comes last: `sub2=post-7`, or `sub2=` for clicks without it.
 */

const LETTERS = { companyId: 'c', agentId: 'a', siteId: 's', typeId: 't', avp: 'v' } as const
const NARROWINGS = Object.keys(LETTERS) as (keyof typeof LETTERS)[]

export const amountText = (question: AmountQuestion): string =>
  [
    question.report,
    question.column,
    question.start,
    question.end,
    ...NARROWINGS.flatMap((name) =>
      question[name] === undefined ? [] : [`${LETTERS[name]}${question[name]}`],
    ),
    ...(question.sub === undefined ? [] : [`${question.sub}=${question.subId ?? ''}`]),
  ].join('.')

/**
 * The parts of the text, by name. It comes from the address bar, so the contract's schema has to
 * check them.
 */
export function readAmountText(text: string): object {
  const [, amount = text, sub, subId] = WITH_SUB.exec(text) ?? []
  const [report, column, start, end, ...narrowed] = amount.split('.')
  const ids = narrowed.map((part) => [
    NARROWINGS.find((name) => LETTERS[name] === part[0]) ?? part,
    Number(part.slice(1)),
  ])
  return {
    report,
    column,
    start,
    end,
    ...Object.fromEntries(ids),
    ...(sub !== undefined && { sub, ...(subId && { subId }) }),
  }
}

/** The value may have dots. */
const WITH_SUB = new RegExp(`^([^=]*)\\.(${SUB_NAMES.join('|')})=(.*)$`, 's')

import type { ImportLine } from '@tallyroom/contract/people/import'
import { formatCount } from '@tallyroom/domain/money'

export type Kind = 'office' | 'agent'

/** `1 agent`, `1,000 agents`. */
export const counted = (count: number, kind: Kind): string =>
  `${formatCount(count)} ${count === 1 ? kind : `${kind}s`}`

/** What becomes of a line. */
export const fateWords = ({ fate, why, email }: ImportLine): string => {
  if (fate === 'new') return email === '' ? 'New. You hand over a link' : 'New. Invited by mail'
  return `${fate === 'exists' ? 'Skipped' : 'Left out'}: ${why ?? ''}`
}

/** How many lines have which fate: `12 agents are new. 3 exist already, and are skipped. 1 line is faulty, and is left out.` */
export function summary(lines: readonly ImportLine[], kind: Kind): string {
  const count = (fate: ImportLine['fate']) => lines.filter((line) => line.fate === fate).length
  const [fresh, existing, faulty] = [count('new'), count('exists'), count('faulty')]
  return [
    fresh === 0 ? `Nobody is new.` : `${counted(fresh, kind)} ${fresh === 1 ? 'is' : 'are'} new.`,
    existing > 0 &&
      (existing === 1
        ? '1 exists already, and is skipped.'
        : `${formatCount(existing)} exist already, and are skipped.`),
    faulty > 0 &&
      (faulty === 1
        ? '1 line is faulty, and is left out.'
        : `${formatCount(faulty)} lines are faulty, and are left out.`),
  ]
    .filter(Boolean)
    .join(' ')
}

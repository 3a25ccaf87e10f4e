import type { TypedToDelete } from '@tallyroom/contract/people/agents'
import { AmountInput } from '../../ui/form/AmountInput.tsx'

interface UnpaidQuestionProps {
  losses: readonly {
    field: keyof TypedToDelete
    /** The refusal, which names the amount. */
    text: string
    /** Another amount was typed. */
    isWrong: boolean
    onType: (text: string) => void
  }[]
}

/** Warns of the money that is given up with an agent: what has not been paid, and what they owe of advances. */
export default function UnpaidQuestion({ losses }: UnpaidQuestionProps) {
  return losses.map(({ field, text, isWrong, onType }, place) => (
    <div key={field}>
      <p>
        {text} {isUnpaid(field) ? UNPAID : OWED}
      </p>
      <AmountInput
        currency={field === 'owedCents' || field === 'unpaidCents' ? '$' : '₱'}
        label={isUnpaid(field) ? 'Unpaid amount' : 'Amount owed'}
        data-autofocus={place === 0 || undefined}
        error={isWrong && 'This is not the amount'}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </div>
  ))
}

const isUnpaid = (field: keyof TypedToDelete): boolean =>
  field === 'unpaidCentavos' || field === 'unpaidCents'

const UNPAID =
  'Close their period and pay it first, or type the amount to delete them anyway and give it up: their balance ends, and nothing of it is paid afterwards. A minus is what they owe.'
const OWED =
  'Type the amount to delete them anyway and give it up: the books have it as a loss. If they pay it later, enter it as money received on their balance.'

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

/** Warns of the money that is lost with an agent: sales that have not been paid, and what they owe of advances. */
export default function UnpaidQuestion({ losses }: UnpaidQuestionProps) {
  return losses.map(({ field, text, isWrong, onType }, place) => (
    <div key={field}>
      <p>
        {text} {field === 'unpaidCentavos' ? UNPAID : OWED}
      </p>
      <AmountInput
        currency={field === 'owedCents' ? '$' : '₱'}
        label={field === 'unpaidCentavos' ? 'Unpaid amount' : 'Amount owed'}
        data-autofocus={place === 0 || undefined}
        error={isWrong && 'This is not the amount'}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </div>
  ))
}

const UNPAID =
  'Close their period and pay it first, or type the amount to delete them anyway and give it up: no payment run pays it afterwards.'
const OWED = 'No statement can take it back afterwards. Type the amount to delete them anyway.'

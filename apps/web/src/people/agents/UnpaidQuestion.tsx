import { AmountInput } from '../../ui/form/AmountInput.tsx'

interface UnpaidQuestionProps {
  /** The refusal, which names the amount. */
  unpaid: string
  /** Another amount was typed. */
  isWrong: boolean
  onType: (text: string) => void
}

/** Warns that deleting an agent deletes sales that have not been paid. */
export default function UnpaidQuestion({ unpaid, isWrong, onType }: UnpaidQuestionProps) {
  return (
    <>
      <p>
        {unpaid} Close their period and pay it first, or type the amount to delete them anyway. It
        can’t be paid afterwards.
      </p>
      <AmountInput
        currency="₱"
        label="Unpaid amount"
        data-autofocus
        error={isWrong && 'This is not the amount'}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </>
  )
}

import { TextInput, type TextInputProps } from '@mantine/core'

interface AmountInputProps extends TextInputProps {
  /** Shown before the figure. */
  currency: '$' | '₱'
}

/** An amount as text. The form stores what was typed, and `amountOf` parses it. */
export const AmountInput = ({ currency, ...props }: AmountInputProps) => (
  <TextInput
    inputMode="decimal"
    autoComplete="off"
    maxLength={16}
    leftSection={<span aria-hidden>{currency}</span>}
    leftSectionWidth={28}
    {...props}
  />
)

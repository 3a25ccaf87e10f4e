import { TextInput, type TextInputProps } from '@mantine/core'

interface AmountInputProps extends TextInputProps {
  /** Stands before the figure. */
  currency: '$' | '₱'
}

/** An amount as text: a form keeps what was typed, and `amountOf` reads it. */
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

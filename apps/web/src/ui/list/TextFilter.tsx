import { TextInput, type TextInputProps } from '@mantine/core'

interface TextFilterProps extends Pick<
  TextInputProps,
  'label' | 'placeholder' | 'maxLength' | 'inputMode' | 'error'
> {
  value: string | undefined
  onChange: (text: string) => void
  /** In pixels. */
  width?: number
}

/** A text in a row of criteria; empty means any. */
export const TextFilter = ({ value, onChange, width, ...props }: TextFilterProps) => (
  <TextInput
    {...(width !== undefined && { w: width, maw: '100%' })}
    {...props}
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

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

/** Filters a list by a text. An empty text does not filter. */
export const TextFilter = ({ value, onChange, width, ...props }: TextFilterProps) => (
  <TextInput
    {...(width !== undefined && { w: width, maw: '100%' })}
    {...props}
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

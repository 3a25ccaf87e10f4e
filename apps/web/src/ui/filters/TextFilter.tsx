import { TextInput, type TextInputProps } from '@mantine/core'
import { use } from 'react'
import { FilterChip, Folded } from './folded.tsx'

interface TextFilterProps extends Pick<
  TextInputProps,
  'placeholder' | 'maxLength' | 'inputMode' | 'error'
> {
  label: string
  value: string | undefined
  onChange: (text: string) => void
  /** In pixels. */
  width?: number
}

/** Filters a list by a text. An empty text does not filter. */
export function TextFilter({ value, onChange, width, ...props }: TextFilterProps) {
  const isFolded = use(Folded) !== null
  if (isFolded)
    return value ? <FilterChip text={`${props.label}: ${value}`} error={!!props.error} /> : null
  return (
    <TextInput
      wrapperProps={{ title: props.label }}
      {...(width !== undefined && { w: width, maw: '100%' })}
      {...props}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

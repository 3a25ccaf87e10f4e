import { Input } from '@mantine/core'
import type { ReactNode } from 'react'

/** What a form shows but can't change, as text. */
export const FormText = ({ label, children }: { label: string; children: ReactNode }) => (
  <Input.Wrapper label={label} labelElement="div">
    <div>{children}</div>
  </Input.Wrapper>
)

import { Input } from '@mantine/core'
import type { ReactNode } from 'react'

/** A read-only field of a form. */
export const FormText = ({ label, children }: { label: string; children: ReactNode }) => (
  <Input.Wrapper label={label} labelElement="div">
    <div>{children}</div>
  </Input.Wrapper>
)

import { useQuery } from '@tanstack/react-query'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { officeNameQuery } from './agents.api.ts'

interface OfficeFilterProps {
  value: number | undefined
  onChange: (companyId: number | undefined) => void
}

/** The office of a list. One that is hidden is not offered, but a link may name it: then it is shown. */
export function OfficeFilter({ value, onChange }: OfficeFilterProps) {
  const named = useQuery({ ...officeNameQuery(value ?? 0), enabled: value !== undefined })
  return (
    <OfficeSelect
      value={value}
      onChange={onChange}
      {...(value !== undefined && {
        present: { id: value, label: named.data ?? `Office ${value}` },
      })}
    />
  )
}

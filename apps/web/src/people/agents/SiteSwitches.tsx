import { Button, Input, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { EntityOption } from '../../ui/EntitySelect.tsx'
import { CheckList } from '../../ui/form/CheckList.tsx'

interface SiteSwitchesProps {
  query: { data: readonly EntityOption[] | undefined; error: Error | null; refetch: () => unknown }
  /** Null means all. */
  value: readonly number[] | null
  onChange: (siteIds: number[]) => void
  error?: ReactNode
}

/** The sites of the office that the agent may sell. */
export function SiteSwitches({ query, value, onChange, error }: SiteSwitchesProps) {
  const { data: options, error: failure, refetch } = query
  if (options)
    return (
      <CheckList
        label="Sites"
        options={options}
        value={value ?? options.map(({ id }) => id)}
        onChange={onChange}
        error={error}
        empty="The office has no sites yet"
      />
    )
  return (
    <Input.Wrapper label="Sites" labelElement="div" error={failure?.message}>
      {failure ? (
        <Button variant="default" size="compact-xs" onClick={() => void refetch()}>
          Retry
        </Button>
      ) : (
        <Skeleton height={120} />
      )}
    </Input.Wrapper>
  )
}

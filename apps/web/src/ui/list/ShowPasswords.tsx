import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { AdminItem } from '@tallyroom/contract/people/admins'
import { proveAgain } from '../../lib/proof.ts'
import type { ListQuery } from './ListFrame.tsx'

type Row = Pick<AdminItem, 'passwordHidden'>

/** Shows the passwords of a list, all at once, after the viewer has entered their own. Nothing while they are shown. */
export function ShowPasswords({ of: { data, refetch } }: { of: ListQuery<Row> }) {
  const show = async () => {
    if (await proveAgain()) refetch()
  }
  if (!data?.items.some(({ passwordHidden }) => passwordHidden === 'until proved')) return null
  return (
    <Button variant="default" leftSection={<IconEye size={14} />} onClick={() => void show()}>
      Show passwords
    </Button>
  )
}

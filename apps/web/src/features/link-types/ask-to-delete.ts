import type { LinkType } from '@tallyroom/contract/link-types'
import { confirm } from '../../ui/dialogs.ts'
import { toast } from '../../ui/toasts.tsx'
import { deleteLinkType } from './link-types.api.ts'

export async function askToDelete(
  { id, typename }: Pick<LinkType, 'id' | 'typename'>,
  onDeleted: () => void,
) {
  const isDone = await confirm({
    heading: `Delete: ${typename}`,
    body:
      'Are you sure you want delete site link? Its tracked links lead nowhere from then on. ' +
      'Its clicks, sales and statistics stay, and sales that its clicks still bring are recorded.',
    confirmLabel: 'Delete',
    danger: true,
    action: () => deleteLinkType(id),
  })
  if (!isDone) return
  toast({
    kind: 'success',
    heading: 'Deleted',
    body: `Link "${typename}" has been successfully deleted`,
  })
  onDeleted()
}

import type { LinkType } from '@tallyroom/contract/link-types'
import { askToDelete } from '../../ui/ask-to-delete.ts'
import { deleteLinkType } from './link-types.api.ts'

export const askToDeleteLink = (
  { id, typename }: Pick<LinkType, 'id' | 'typename'>,
  onDeleted: () => void,
) =>
  askToDelete({
    what: 'Link',
    name: typename,
    question:
      'Are you sure you want delete site link? Its tracked links lead nowhere from then on. ' +
      'Its clicks, sales and statistics stay, and sales that its clicks still bring are recorded.',
    action: () => deleteLinkType(id),
    onDeleted,
  })

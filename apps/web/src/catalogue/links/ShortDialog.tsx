import { Alert, Modal, Skeleton, Stack, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ShortLink, shortLinksEndpoints } from '@tallyroom/contract/catalogue/short-links'
import { formatCount } from '@tallyroom/domain/money'
import { SHORT_NAME_LENGTH } from '@tallyroom/domain/short-link'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { call } from '../../lib/call.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { linkName } from './link-columns.tsx'
import { carriedText, type LinkItem, refreshShortLinks, shortLinksQuery } from './links.api.ts'
import classes from './ShortDialog.module.css'

interface ShortDialogProps {
  item: LinkItem
  onClosed: () => void
}

/** The short links of a link: makes one of what it carries now, renames and deletes them. Loaded on demand. */
export default function ShortDialog({ item, onClosed }: ShortDialogProps) {
  const [opened, close] = useOpened()
  const { data, error } = useQuery(shortLinksQuery(item))
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={`Short links: ${linkName(item)}`}
    >
      <Stack gap="md">
        <NewShortLink item={item} />
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {!data && !error && <Skeleton h={40} />}
        {data && data.items.length > 0 && (
          <ul className={classes.links} aria-label="Short links">
            {data.items.map((link) => (
              <ShortLinkRow key={link.id} link={link} />
            ))}
          </ul>
        )}
        {data && data.total > data.items.length && (
          <p className={classes.about}>
            The newest {formatCount(data.items.length)} of {formatCount(data.total)}
          </p>
        )}
      </Stack>
    </Modal>
  )
}

function NewShortLink({ item: { agentId, typeId, carries } }: { item: LinkItem }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: shortLinksEndpoints.createShortLink,
    values: { name: '' },
    bodyOf: ({ name }) => ({ agentId, typeId, name: name.trim() || null, ...carries }),
    onSaved: () => {
      form.reset()
      void refreshShortLinks(client)
    },
  })
  return (
    <FormFrame {...frame} submitLabel="Make short link" narrow>
      <p className={classes.about}>
        For print, voice and small screens. Made of this link as it is now,{' '}
        {carriedText(carries) || 'without sub ids'}.
      </p>
      <NameInput
        {...form.getInputProps('name')}
        description="Seven letters, if you leave it empty"
      />
    </FormFrame>
  )
}

type NameInputProps = Omit<ComponentProps<typeof TextInput>, 'label'>

const NameInput = (props: NameInputProps) => (
  <TextInput
    label="Name"
    placeholder="maria-2026"
    maxLength={SHORT_NAME_LENGTH.most}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
)

function ShortLinkRow({ link }: { link: ShortLink }) {
  const client = useQueryClient()
  const [isRenaming, setRenaming] = useState(false)
  const former = link.formerNames.length > 0 && `also ${link.formerNames.join(', ')}`
  const about = [carriedText(link), former].filter(Boolean).join(' · ')
  const remove = () =>
    void confirm({
      heading: `Delete: ${link.name}`,
      body: 'Whoever opens it is told that it leads nowhere. Its name can’t be used again, not even by you.',
      confirmLabel: 'Delete',
      danger: true,
      action: () => call(shortLinksEndpoints.deleteShortLink, { params: { id: String(link.id) } }),
    }).then(async (isDone) => {
      if (!isDone) return
      toastDone()
      await refreshShortLinks(client)
    })
  return (
    <li>
      <div className={classes.name}>
        <code>{link.link.replace(/^https?:\/\//, '')}</code>
        <CopyButton value={link.link} what={`short link ${link.name}`} />
        <RowIcon
          icon={IconPencil}
          label={`Rename ${link.name}`}
          tooltip="Rename"
          onClick={() => setRenaming(!isRenaming)}
        />
        <RowIcon icon={IconTrash} label={`Delete ${link.name}`} tooltip="Delete" onClick={remove} />
      </div>
      {about && <p className={classes.about}>{about}</p>}
      {isRenaming && <RenameForm link={link} onDone={() => setRenaming(false)} />}
    </li>
  )
}

function RenameForm({ link, onDone }: { link: ShortLink; onDone: () => void }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: shortLinksEndpoints.renameShortLink,
    params: { id: String(link.id) },
    values: { name: link.name },
    bodyOf: ({ name }) => ({ name }),
    onSaved: () => {
      onDone()
      void refreshShortLinks(client)
    },
    onCancel: onDone,
  })
  return (
    <FormFrame {...frame} submitLabel="Rename" narrow>
      <NameInput {...form.getInputProps('name')} description="The present name leads on" />
    </FormFrame>
  )
}

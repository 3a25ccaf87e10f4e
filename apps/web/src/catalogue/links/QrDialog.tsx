import { Alert, Button, Group, Image, Modal, Skeleton, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { toDataURL } from 'qrcode'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { linkName } from './link-columns.tsx'
import { type LinkItem, shortLinkQuery } from './links.api.ts'
import classes from './QrDialog.module.css'

interface QrDialogProps {
  item: LinkItem
  onClosed: () => void
}

/** Large enough for print. */
const PIXELS = 1024

/** A link as a QR code, to scan or save: its short link, if there is one. Loaded on demand. */
export default function QrDialog({ item, onClosed }: QrDialogProps) {
  const [opened, close] = useOpened()
  const name = linkName(item)
  const short = useQuery(shortLinkQuery(item))
  const link = short.data?.items[0]?.link ?? item.link
  const picture = useQuery({
    queryKey: ['qr', link],
    queryFn: () => toDataURL(link, { width: PIXELS, margin: 2 }),
    enabled: !short.isPending,
    staleTime: Infinity,
    meta: { ownErrors: true },
  })
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={name} centered>
      <Stack align="center" gap="sm">
        {picture.error ? (
          <Alert color="red" role="alert">
            The link is too long for a QR code.
          </Alert>
        ) : picture.data === undefined ? (
          <Skeleton w={260} h={260} />
        ) : (
          <Image src={picture.data} alt={`QR code of ${name}`} w={260} h={260} radius="sm" />
        )}
        <Group gap={4} wrap="nowrap" className={classes.link}>
          <code>{link}</code>
          <CopyButton value={link} what="link" />
        </Group>
        <Button
          component="a"
          href={picture.data}
          download={`${fileNameOf(name)}.png`}
          data-disabled={picture.data === undefined}
          leftSection={<IconDownload size={14} />}
        >
          Download PNG
        </Button>
      </Stack>
    </Modal>
  )
}

/** Replaces characters that some file systems reject. */
const fileNameOf = (name: string) => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')

import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconDownload, IconMessage } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { proveAgain } from '../../lib/proof.ts'
import guide from '../../../../../docs/postbacks.md?url&no-inline'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { toast } from '../../ui/toasts.tsx'
import classes from './integration.module.css'
import { integrationQuery, refreshIntegration, withKey } from './postbacks.api.ts'
import { HIDDEN, SecretText } from './SecretText.tsx'

/** The address and the keys for a site's merchant. */
export function IntegrationFacts({ siteId }: { siteId: number }) {
  const query = useQuery(integrationQuery(siteId))
  const client = useQueryClient()
  const [isKeyWanted, setKeyWanted] = useState(false)
  const [previousShown, setPreviousShown] = useState(false)
  if (query.isError)
    return (
      <Alert color="red" title="The address and key could not be loaded">
        <div>{query.error.message}</div>
        <Button variant="default" mt="xs" onClick={() => void query.refetch()}>
          Retry
        </Button>
      </Alert>
    )
  if (!query.data) return <Skeleton height={220} role="status" aria-label="Loading" />
  const { url, key, previousKey, clickParam } = query.data
  const keyShown = isKeyWanted && key !== undefined
  /** Later than ten minutes after the password was entered, the answer comes without keys. */
  const showKey = async (wanted: boolean) => {
    if (wanted && key === undefined) {
      if (!(await proveAgain())) return
      await query.refetch()
    }
    setKeyWanted(wanted)
  }
  const example = `curl '${withKey(query.data.example, key)}'`

  return (
    <Stack gap="sm">
      <Fact label="Address">
        <code>{url}</code>
        <CopyButton value={url} what="address" />
      </Fact>
      <Fact label="Click id parameter">
        <code>{clickParam}</code>
        <CopyButton value={clickParam} what="parameter" />
      </Fact>
      <Fact label="Key">
        <SecretText
          value={key}
          what="key"
          shown={keyShown}
          onShow={(wanted) => void showKey(wanted)}
        />
      </Fact>
      {previousKey != null && (
        <Fact label="Previous key, still accepted">
          <SecretText
            value={previousKey}
            what="previous key"
            shown={previousShown}
            onShow={setPreviousShown}
          />
        </Fact>
      )}
      <div>
        <Button
          variant="default"
          onClick={() => void askToRotate(siteId, () => refreshIntegration(client))}
        >
          Rotate key
        </Button>
      </div>
      <Fact label="Example">
        <pre className={classes.code} tabIndex={0}>
          {keyShown ? example : `curl '${withKey(query.data.example, HIDDEN)}'`}
        </pre>
        <CopyButton value={example} what="example" />
      </Fact>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconMessage size={14} />}
          onClick={() =>
            void copyMessage(messageFor(query.data, keyShown ? key : undefined), {
              keyIncluded: keyShown,
            })
          }
        >
          Copy as message
        </Button>
        <Button
          component="a"
          href={guide}
          download="postbacks.md"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          Download the developer’s guide
        </Button>
      </Group>
    </Stack>
  )
}

interface Integration {
  url: string
  clickParam: string
  example: string
}

/** Everything that a merchant's developer needs, as a message. It contains the key only once that is shown. */
const messageFor = ({ url, clickParam, example }: Integration, key: string | undefined) =>
  [
    'Please report sales to us by postback:',
    '',
    `1. Our links carry a click id in the parameter "${clickParam}". Store it with the visitor.`,
    `2. For each sale, send a GET request to ${url} with:`,
    `   ${clickParam}: the click id`,
    '   transaction_id: your order number. Each number counts once, so you can safely retry.',
    '   event: sale or bonus; void, chargeback or fraud to reverse a sale',
    `   key: ${key ?? 'we send it to you separately'}`,
    '3. Any status below 500 means that we received it. On 5xx or no response, send it again.',
    '',
    `Example: ${withKey(example, key ?? 'THE-KEY')}`,
    '',
    'Treat the key like a password.',
  ].join('\n')

async function copyMessage(text: string, { keyIncluded }: { keyIncluded: boolean }) {
  const body = keyIncluded
    ? 'Paste it into an email to the merchant. It contains the key.'
    : 'Paste it into an email to the merchant. To include the key, show it first.'
  try {
    await navigator.clipboard.writeText(text)
    toast({ kind: 'success', heading: 'Copied', body })
  } catch {
    toast({
      kind: 'error',
      heading: 'Not copied',
      body: 'The browser does not allow copying here.',
    })
  }
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <div className={classes.label}>{label}</div>
    <div className={classes.value}>{children}</div>
  </div>
)

async function askToRotate(siteId: number, refresh: () => Promise<unknown>) {
  await confirm({
    heading: 'Rotate key',
    body: 'Make a new key? The current key keeps working until you rotate again. The previous one stops now.',
    confirmLabel: 'Rotate key',
    danger: true,
    action: async () => {
      await call(postbacksEndpoints.rotatePostbackKey, { params: { siteId: String(siteId) } })
      await refresh()
      toast({ kind: 'success', heading: 'Success', body: 'The new key works now.' })
    },
  })
}

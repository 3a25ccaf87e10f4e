import { Alert, Button, Modal, Skeleton, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { CLICK_NOTE_WORDS, UNCOUNTED_WORDS } from '@tallyroom/contract/desk/click-logs'
import {
  type linkTestsEndpoints,
  TEST_MINUTES,
  type TestVisit,
} from '@tallyroom/contract/desk/link-tests'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { linkName } from './link-columns.tsx'
import { type LinkItem, linkTestQuery, newLinkTestQuery } from './links.api.ts'
import classes from './TestDialog.module.css'

interface TestDialogProps {
  item: LinkItem
  onClosed: () => void
}

const POLL_MS = 700
/** Once a visit is shown: for a further one, or its postback. */
const SHOWN_POLL_MS = 2_000

/** Tries a link out: what arrives, what the merchant is handed, and the postbacks that come of it. Nothing of it counts. */
export default function TestDialog({ item, onClosed }: TestDialogProps) {
  const [opened, close] = useOpened()
  const made = useQuery(newLinkTestQuery(item))
  const hasEnded = useIsOver(made.dataUpdatedAt, TEST_MINUTES * 60_000)
  const shown = useQuery({
    ...linkTestQuery(made.data?.id ?? ''),
    enabled: made.data !== undefined && opened,
    refetchInterval: ({ state }) => (state.data?.visit ? SHOWN_POLL_MS : !hasEnded && POLL_MS),
  })
  const error = made.error ?? shown.error
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={`Test: ${linkName(item)}`}
      size="lg"
    >
      <Stack gap="md">
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        {!made.data && !error && <Skeleton h={36} />}
        {made.data && hasEnded && (
          <div className={classes.open}>
            <span>This test has ended: a visit by its link would count.</span>
            <Button variant="default" loading={made.isFetching} onClick={() => void made.refetch()}>
              Make another
            </Button>
          </div>
        )}
        {made.data && !hasEnded && (
          <div className={classes.open}>
            <Button
              component="a"
              href={made.data.url}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={14} />}
            >
              Open the link
            </Button>
            <CopyButton value={made.data.url} what="test link" />
          </div>
        )}
        {made.data && !hasEnded && (
          <p className={classes.about}>
            Or open its copy on another device within {TEST_MINUTES} minutes. A test counts nowhere,
            and neither do postbacks of it.
          </p>
        )}
        {made.data && (
          <div aria-live="polite">
            {shown.data?.visit ? (
              <Visit visit={shown.data.visit} postbacks={shown.data.postbacks} />
            ) : (
              <p className={classes.about}>
                {hasEnded ? 'Nobody has opened it.' : 'Nobody has opened it yet.'}
              </p>
            )}
          </div>
        )}
      </Stack>
    </Modal>
  )
}

/** Whether so much time has passed since, as soon as it has: by the browser's clock alone. */
function useIsOver(since: number, ms: number): boolean {
  const [over, setOver] = useState<number>()
  useEffect(() => {
    if (since === 0) return
    const timer = setTimeout(() => setOver(since), since + ms - Date.now())
    return () => clearTimeout(timer)
  }, [since, ms])
  return since !== 0 && over === since
}

type Postbacks = AnswerOf<typeof linkTestsEndpoints.linkTest>['postbacks']

const Visit = ({ visit, postbacks }: { visit: TestVisit; postbacks: Postbacks }) => (
  <dl className={classes.facts} aria-label="The visit">
    <Fact label="Arrived">
      <Instant at={visit.at} />
    </Fact>
    <Fact label="Sub ids">{subsText(visit) || 'none'}</Fact>
    {visit.to !== undefined && <Fact label="Page">{visit.to}</Fact>}
    {visit.others.length > 0 && (
      <Fact label="Other parameters">
        {visit.others.map(({ name, value }) => `${name}=${value}`).join(', ')}
        {visit.forwards ? ' (they go on to the merchant)' : ' (the merchant does not get them)'}
      </Fact>
    )}
    {visit.fromIp !== undefined && <Fact label="IP">{visit.fromIp}</Fact>}
    {visit.referer !== undefined && <Fact label="Referrer">{visit.referer ?? 'none'}</Fact>}
    <Fact label="Browser">{visit.userAgent || 'not named'}</Fact>
    <Fact label="Would it count?">{countsText(visit)}</Fact>
    <Fact label="Led to">{endText(visit)}</Fact>
    {visit.url !== null && (
      <Fact label="Merchant got">
        <code>{visit.url}</code> <CopyButton value={visit.url} what="address" />
      </Fact>
    )}
    {visit.clickId !== null && (
      <Fact label="Test click id">
        <code>{visit.clickId}</code> <CopyButton value={visit.clickId} what="click id" />
      </Fact>
    )}
    {visit.clickId !== null && (
      <Fact label="Postbacks">
        {postbacks.length === 0
          ? 'None yet: one with this click id shows here.'
          : postbacks.map((one) => (
              <Came key={`${one.receivedAt} ${one.event} ${one.outcome}`} postback={one} />
            ))}
      </Fact>
    )}
  </dl>
)

const Came = ({
  postback: { receivedAt, outcome, event, reason },
}: {
  postback: Postbacks[number]
}) => (
  <div>
    {event ?? 'postback'}: {outcome}, <Instant at={receivedAt} />
    {reason && <>. {reason}</>}
  </div>
)

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const subsText = (visit: TestVisit): string =>
  SUB_NAMES.flatMap((name) => (visit[name] ? [`${name} ${visit[name]}`] : [])).join(', ')

function countsText({ outcome, uncounted }: TestVisit): string {
  if (outcome !== 'sent on') return 'No: nobody is led on'
  if (uncounted === null) return 'Yes'
  return `No: ${uncounted === 'crawler' ? 'a crawler' : UNCOUNTED_WORDS[uncounted]}`
}

function endText({ outcome, note, url }: TestVisit): string {
  if (outcome === 'inactive') return 'our page: this link is no longer active'
  if (outcome === 'unknown') return 'our page: there is no such link'
  const host = url === null ? 'the merchant' : new URL(url).host
  return note === null ? host : `${host}. ${CLICK_NOTE_WORDS[note]}`
}

import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import { Button, Group, Stack } from '@mantine/core'
import { isReversal } from '@tallyroom/domain/event-types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import classes from './integration.module.css'
import { refreshPostbacks, type TestAnswer, type TestRequest } from './postbacks.api.ts'
import { TestResult } from './TestResult.tsx'
import { Select } from '../../ui/Select.tsx'

/** Makes a test click on a site and sends postbacks for it. Neither is counted. */
export function PostbackTester({ siteId }: { siteId: number }) {
  const client = useQueryClient()
  const [typeId, setTypeId] = useState<number>()
  const [event, setEvent] = useState<TestEvent>('sale')
  const [sent, setSent] = useState<readonly SentTest[]>([])
  const test = useMutation({
    mutationFn: (body: TestRequest) =>
      call(postbacksEndpoints.testPostback, { params: { siteId: String(siteId) }, body }),
    onSuccess: (answer, request) => {
      setSent([{ request, answer }, ...sent])
      return refreshPostbacks(client)
    },
  })

  return (
    <Stack gap="sm" component="section" aria-label="Send a test">
      <div>
        <h2 className={classes.heading}>Send a test</h2>
        <div className={classes.label}>
          Makes a test click and sends a postback for it. Neither is counted.
        </div>
      </div>
      <Group align="flex-end" gap="xs">
        <TypeSelect
          siteId={siteId}
          placeholder="Choose a type"
          value={typeId}
          onChange={setTypeId}
          required
        />
        <Select
          label="Event"
          w={130}
          data={[...TEST_EVENTS]}
          value={event}
          onChange={(chosen) => chosen && setEvent(chosen)}
        />
        <Button
          disabled={typeId === undefined}
          loading={test.isPending}
          onClick={() => typeId !== undefined && test.mutate({ typeId, event })}
        >
          Send test
        </Button>
      </Group>
      <Stack gap="sm" aria-live="polite">
        {sent.map(({ request, answer }, position) => (
          <TestResult
            key={answer.answer.id}
            siteId={siteId}
            number={sent.length - position}
            answer={answer}
            {...(position === 0 && {
              busy: test.isPending,
              onRepeat: () => test.mutate({ ...request, ...sameAs(answer) }),
              ...(!isReversal(request.event ?? 'sale') && {
                onReverse: () => test.mutate({ ...request, ...sameAs(answer), event: 'void' }),
              }),
            })}
          />
        ))}
      </Stack>
    </Stack>
  )
}

interface SentTest {
  request: TestRequest
  answer: TestAnswer
}

type TestEvent = NonNullable<TestRequest['event']>

const TEST_EVENTS = [
  'sale',
  'bonus',
  'click',
  'void',
  'chargeback',
  'fraud',
] as const satisfies readonly TestEvent[]

const sameAs = ({ clickId, transactionId }: TestAnswer) => ({ clickId, transactionId })

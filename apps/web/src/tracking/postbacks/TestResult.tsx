import { signedDollars, signedPesos } from '@tallyroom/domain/money'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './TestResult.module.css'
import code from './integration.module.css'
import { OutcomeBadge } from '../../shared/OutcomeBadge.tsx'
import { integrationQuery, type TestAnswer, withKey } from './postbacks.api.ts'
import { HIDDEN } from './SecretText.tsx'

interface TestResultProps {
  siteId: number
  /** The number of the test, from 1. */
  number: number
  answer: TestAnswer
  busy?: boolean
  /** Sends the same postback again, which makes it a duplicate. */
  onRepeat?: () => void
  /** Reverses its sale. */
  onReverse?: () => void
}

/** The request, the response, and the amounts that a real postback would have had. */
export function TestResult({
  siteId,
  number,
  answer,
  busy = false,
  onRepeat,
  onReverse,
}: TestResultProps) {
  const { request, status, earning, payout } = answer
  const json = JSON.stringify(answer.answer, null, 2)
  // Loaded with the facts above; without it, the copied text has no key.
  const key = useQuery(integrationQuery(siteId)).data?.key
  return (
    <article className={classes.result} aria-label={`Test ${number}`}>
      <Group gap="xs">
        <strong>Test {number}</strong>
        <span className="tr-figures">HTTP {status}</span>
        <OutcomeBadge outcome={answer.answer.outcome} />
      </Group>
      <div className={code.value}>
        <pre className={code.code} tabIndex={0}>
          {withKey(request, HIDDEN)}
        </pre>
        <CopyButton value={withKey(request, key)} what="request" />
      </div>
      <div className={code.value}>
        <pre className={code.code} tabIndex={0}>
          {json}
        </pre>
        <CopyButton value={json} what="answer" />
      </div>
      {(earning !== null || payout !== null) && (
        <div>
          A real postback would record <strong>{signedDollars(earning ?? 0)}</strong> earning and{' '}
          <strong>{signedPesos(payout ?? 0)}</strong> payout.
        </div>
      )}
      {onRepeat && (
        <Group gap="xs">
          <Button variant="default" size="compact-xs" loading={busy} onClick={onRepeat}>
            Send the same again
          </Button>
          {onReverse && (
            <Button variant="default" size="compact-xs" loading={busy} onClick={onReverse}>
              Reverse it
            </Button>
          )}
        </Group>
      )}
    </article>
  )
}

import { Alert, Button } from '@mantine/core'
import { type WaitingProposal, payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { ReasonDialog } from '../../ui/dialogs/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { proposalName, whoCanInstead } from './proposal-words.ts'
import classes from './proposals.module.css'
import { ProposalEffect, ProposalText } from './ProposalText.tsx'
import { refreshPay } from '../refresh-pay.ts'
import { useAsked } from '../../ui/use-asked.ts'

/** What waits, why, and what the viewer can do about it. */
export function Proposal({ proposal }: { proposal: WaitingProposal }) {
  const { id, does, reason, why, by, at, outdated, isYours, whyYouCannotApprove } = proposal
  const client = useQueryClient()
  const ending = useAsked<true>()
  const name = proposalName(does)
  const params = { id: String(id) }
  const send = async (sending: Promise<unknown>) => {
    await thenRefresh(sending, () => refreshPay(client))
    toastDone()
  }
  const canApprove = whyYouCannotApprove === null && outdated === null
  return (
    <section className={classes.card} aria-label={name}>
      <h2>
        <ProposalText does={does} />
      </h2>
      <p>
        {'pesosE4' in does ? 'Source: ' : 'Reason: '}
        {reason}
      </p>
      <p className={classes.dim}>
        Entered <Instant at={at} /> by {isYours ? 'you' : by}. {why}
      </p>
      {outdated === null ? (
        <p>
          <ProposalEffect does={does} />
        </p>
      ) : (
        <Alert color="yellow" title="It can’t be approved any more">
          {outdated} {isYours ? 'Withdraw it.' : 'Refuse it.'}
        </Alert>
      )}
      {whyYouCannotApprove !== null && outdated === null && (
        <p>
          You {whyYouCannotApprove}, so somebody else must approve it. {whoCanInstead(proposal)}
        </p>
      )}
      <div className={classes.actions}>
        {canApprove && (
          <Button
            onClick={() =>
              void confirm({
                heading: `Approve: ${name}`,
                body: `${by} entered it, and you decide about it as the second person.`,
                confirmLabel: 'Approve it',
                action: () => send(call(payProposalsEndpoints.approvePayProposal, { params })),
              })
            }
          >
            Approve
          </Button>
        )}
        <Button variant="default" onClick={() => ending.ask(true)}>
          {isYours ? 'Withdraw' : 'Refuse'}
        </Button>
      </div>
      {ending.asked && (
        <ReasonDialog
          key={ending.key}
          heading={`${isYours ? 'Withdraw' : 'Refuse'}: ${name}`}
          about="It is not carried out."
          label={isYours ? 'Why do you withdraw it?' : 'Why is it refused?'}
          maxLength={500}
          confirmLabel={isYours ? 'Withdraw it' : 'Refuse it'}
          isFinal
          onConfirm={(given) =>
            send(
              isYours
                ? call(payProposalsEndpoints.withdrawPayProposal, {
                    params,
                    body: { reason: given },
                  })
                : call(payProposalsEndpoints.refusePayProposal, {
                    params,
                    body: { reason: given },
                  }),
            )
          }
          onClosed={ending.end}
        />
      )}
    </section>
  )
}

import { Button } from '@mantine/core'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { toast } from '../../ui/toasts.tsx'
import { askForDecision } from './held.api.ts'
import classes from './held.module.css'

/** For those who may not decide about a held postback: who can, and a button that tells them. */
export function WhoDecides({ id }: { id: string }) {
  const asking = useOneMutation({
    mutationFn: () => askForDecision(id),
    onSuccess: ({ told }) =>
      toast({
        kind: 'success',
        heading: told ? 'Superadmins are told' : 'Told already today',
        body: 'They find it in their bell.',
      }),
  })
  return (
    <span className={classes.acts}>
      <span className={classes.dim}>Only superadmins decide.</span>
      <Button
        variant="default"
        size="compact-xs"
        loading={asking.isPending}
        disabled={asking.isSuccess}
        onClick={() => asking.mutate()}
      >
        {asking.isSuccess ? 'Told' : 'Tell them'}
      </Button>
    </span>
  )
}

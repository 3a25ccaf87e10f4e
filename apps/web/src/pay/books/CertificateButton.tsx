import { Button } from '@mantine/core'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { saveTaxCertificate } from './withholding.api.ts'

/** Downloads a payee’s certificate of the tax withheld in a quarter. */
export function CertificateButton({ payee, quarter }: { payee: Payee; quarter: string }) {
  const saving = useMutation({ mutationFn: () => saveTaxCertificate(payee, quarter) })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={13} />}
      loading={saving.isPending}
      aria-label={`PDF: certificate of ${payee.name}, ${quarter}`}
      onClick={() => saving.mutate()}
    >
      PDF
    </Button>
  )
}

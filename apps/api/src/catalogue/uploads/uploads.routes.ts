import { uploadsEndpoints } from '@tallyroom/contract/catalogue/uploads'
import { fileRoute, type Route, uploadRoute } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { getImage, storeImage } from './images.ts'

export const uploadsRoutes = (services: Pick<Services, 'db' | 'clock'>): Route[] => [
  uploadRoute(uploadsEndpoints.uploadImage, ({ viewer, file }) =>
    storeImage(services, viewer, file),
  ),

  fileRoute(uploadsEndpoints.image, ({ params: { name } }) => getImage(services, name)),
]

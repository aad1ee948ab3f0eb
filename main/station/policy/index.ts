/** Directory and calendar of each school, and who looks after which student. */
export { createPolicies, type Policies, type PoliciesOptions } from './policies.ts'
export { createDetectionChoices, type DetectionChoices } from './detection-choices.ts'
export { policyRoutes } from './policy-routes.ts'

/** Test alerts that people send themselves. */
export { testAlertRoutes } from './test-alert-routes.ts'
export { createTestAlerts, type TestAlerts } from './test-alerts.ts'

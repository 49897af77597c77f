import { createApp } from 'vue'
import { takeToken } from './api/client'
import App from './App.vue'
import { takeLink } from './state/account'
import './state/look'
import './style.css'

takeToken()
takeLink()
createApp(App).mount('#app')

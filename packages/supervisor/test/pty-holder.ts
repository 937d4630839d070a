import "@tmpm/pty-driver/holder";

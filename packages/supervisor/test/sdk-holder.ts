import "@tmpm/sdk-driver/holder";
